"""A program as students write it: ADDRESS PORT [WAY]; the ways other than `well` are faults."""
import ctypes
import random
import socket
import struct
import sys
import time

HUMANS, VAMPIRES, WEREWOLVES = 2, 3, 4


def order(board, mine, n, m):
    """One move: the largest group goes towards the nearest house, or anywhere."""
    groups = [cell for cell in board.values() if cell[mine]]
    if not groups:
        return []
    x, y = max(groups, key=lambda c: c[mine])[:2]
    number = board[x, y][mine]
    houses = [c for c in board.values() if 0 < c[HUMANS] <= number]
    if houses:
        hx, hy = min(houses, key=lambda c: max(abs(c[0] - x), abs(c[1] - y)))[:2]
        dx, dy = (hx > x) - (hx < x), (hy > y) - (hy < y)
    else:
        dx, dy = random.choice([(1, 0), (-1, 0), (0, 1), (0, -1)])
    if not (0 <= x + dx < m and 0 <= y + dy < n):
        dx, dy = -dx, -dy
    return [(x, y, number, x + dx, y + dy)]


def hoard():
    """Takes memory that the limit on writable memory counts no longer."""
    library = ctypes.CDLL(None)
    library.mmap.restype = ctypes.c_void_p
    for _ in range(24):
        start = library.mmap(None, ctypes.c_size_t(8 << 20), 3, 0x22, -1, ctypes.c_long(0))
        ctypes.memset(start, 1, 8 << 20)
        library.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(8 << 20), 1)


def play(ip, port, way="well"):
    if way == "absent":
        print("waiting", flush=True)
        time.sleep(1000)
    if way == "broken":
        raise ValueError("a bug at the start")
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.connect((ip, port))
    if way == "mute":
        print("waiting", flush=True)
        time.sleep(1000)
    if way == "wrong":
        sock.send(b"HELLO")
        print("waiting", flush=True)
        time.sleep(1000)
    name = "" if way == "nameless" else "Team #1 of 2"
    sock.send(b"NME" + struct.pack("B", len(name)) + name.encode())
    if way == "nameless":
        print("waiting", flush=True)
    random.seed(1)
    board = {}
    n = m = 0
    home = (0, 0)
    mine = VAMPIRES
    turn = 0
    while True:
        tag = sock.recv(3)
        if tag == b"":
            if way == "eternal":
                continue
            sys.exit(2)
        tag = tag.decode()
        if tag == "SET":
            n, m = struct.unpack("BB", sock.recv(2))
        elif tag == "HUM":
            number = sock.recv(1)[0]
            if number:
                sock.recv(2 * number)
        elif tag == "HME":
            home = tuple(sock.recv(2))
        elif tag in ("MAP", "UPD"):
            number = sock.recv(1)[0]
            for _ in range(number):
                cell = struct.unpack("BBBBB", sock.recv(5))
                board[cell[0], cell[1]] = cell
            if tag == "MAP":
                mine = VAMPIRES if board[home][VAMPIRES] else WEREWOLVES
                continue
            turn += 1
            print("turn", turn, file=sys.stderr if way == "loud" else sys.stdout)
            if way == "loud":
                print("blah " * 40000)
            if way == "hoard" and turn == 2:
                hoard()
            if way == "crash" and turn == 3:
                raise ValueError("a bug in turn 3")
            if way == "late" and turn == 2:
                time.sleep(3)
            moves = order(board, mine, n, m)
            if way == "illegal" and turn == 2:
                moves = [(x, y, k, x, y) for x, y, k, _, _ in moves]
            data = b"MOV" + struct.pack("B", len(moves))
            for move in moves:
                data += struct.pack("BBBBB", *move)
            if way == "bytes":
                for byte in data:
                    sock.send(bytes([byte]))
            elif way == "attack":
                sock.send(b"ATK\x01\x01")
            elif way != "silent":
                sock.send(data)
        elif tag == "END":
            if way == "exit1":
                sys.exit(1)
            if way == "again":
                sock.send(b"NME\x05again")
        elif tag == "BYE":
            if way == "linger":
                while True:
                    time.sleep(1)
            if way == "eternal":
                continue
            sock.close()
            return


if __name__ == "__main__":
    play(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
