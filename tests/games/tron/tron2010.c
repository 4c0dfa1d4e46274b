/* A program of the 2010 Tron contest in C, written from the description of its protocol: goes
   straight on while it can, else turns. It reads as the contest's own C programs did, a character
   at a time behind a scanf that skips blanks. */
#include <stdio.h>

static const int DX[] = {0, 1, 0, -1}, DY[] = {-1, 0, 1, 0};

int main(void) {
    static char cells[200][201];
    int width, height, heading = 0;
    while (scanf("%d %d\n", &width, &height) == 2) {
        int x = 0, y = 0;
        for (int row = 0; row < height; row++) {
            for (int column = 0; column < width; column++) {
                int c = getchar();
                cells[row][column] = (char)c;
                if (c == '1') x = column, y = row;
            }
            if (getchar() != '\n') {
                fprintf(stderr, "row %d is not %d cells wide\n", row, width);
                return 1;
            }
        }
        for (int turn = 0; turn < 4; turn++) {
            int to = (heading + turn) % 4;
            if (cells[y + DY[to]][x + DX[to]] == ' ') {
                heading = to;
                break;
            }
        }
        printf("%d\n", heading + 1);
        fflush(stdout);
    }
    fprintf(stderr, "the end\n");
    return 0;
}
