/* Conway's game of life on a small torus. */
#include <stdio.h>
#include <string.h>

#define W 5
#define H 5

typedef unsigned char grid[H][W];

static int neighbours(grid g, int y, int x)
{
    int dy, dx, n = 0;
    for (dy = -1; dy <= 1; dy++)
        for (dx = -1; dx <= 1; dx++)
            if (dy != 0 || dx != 0)
                n += g[(y + dy) % H][(x + dx) % W]; // BUG
    return n;
}

static void step(grid from, grid to)
{
    int y, x;
    for (y = 0; y < H; y++)
        for (x = 0; x < W; x++) {
            int n = neighbours(from, y, x);
            to[y][x] = n == 3 || (n == 2 && from[y][x]);
        }
}

static int alive(grid g)
{
    int y, x, n = 0;
    for (y = 0; y < H; y++)
        for (x = 0; x < W; x++)
            n += g[y][x];
    return n;
}

int main(void)
{
    grid a = { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 } };
    grid b;
    int i, y, x;

    for (i = 0; i < 4; i++) {
        step(a, b);
        memcpy(a, b, sizeof a);
        for (y = 0; y < H; y++) {
            for (x = 0; x < W; x++)
                putchar(a[y][x] ? '#' : '.');
            putchar('\n');
        }
    }
    return alive(a) == 5 ? 0 : 1;
}
