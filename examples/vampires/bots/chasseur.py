"""Chasseur : le groupe va vers la maison la plus proche qu'il peut convertir, sans combat.

    python3 chasseur.py ADRESSE PORT
"""

import sys

from partie import jouer

if __name__ == "__main__":
    jouer(sys.argv[1], int(sys.argv[2]), "chasseur")
