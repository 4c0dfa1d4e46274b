"""A program whose address and port are in its source."""
from vampires_student import play

IP = "127.0.0.1"
PORT = 5555

if __name__ == "__main__":
    play(IP, PORT)
