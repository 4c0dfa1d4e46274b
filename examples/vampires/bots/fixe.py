"""Le chasseur encore, avec l'adresse et le port dans le code, comme souvent."""

from partie import jouer

ADRESSE = "127.0.0.1"
PORT = 5555

if __name__ == "__main__":
    jouer(ADRESSE, PORT, "fixe")
