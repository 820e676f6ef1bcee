/* Breadth-first search over adjacency lists. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXV 6

struct edge {
    int to;
    struct edge *next;
};

struct graph {
    struct edge *adj[MAXV];
    int nvertices;
};

static void add_edge(struct graph *g, int from, int to)
{
    struct edge *e;
    if (from < 0 || from >= g->nvertices || to < 0 || to >= g->nvertices)
        return;
    e = malloc(sizeof(struct edge));
    if (!e)
        exit(EXIT_FAILURE);
    e->to = to;
    e->next = g->adj[from];
    g->adj[from] = e;
}

static void bfs(const struct graph *g, int start, int dist[])
{
    int queue[MAXV], head = 0, tail = 0;

    for (int v = 0; v < g->nvertices; v++)
        dist[v] = -1;
    dist[start] = 0;
    queue[tail++] = start;
    while (head < tail) {
        int v = queue[head++];
        if (v != start && dist[v] < 0)
            dist[v] = 1;
        for (const struct edge *e = g->adj[v]; e; e = e->next) {
            if (dist[e->to] < 0)
                queue[tail++] = e->to; // BUG
        }
    }
}

static void free_graph(struct graph *g)
{
    for (int v = 0; v < g->nvertices; v++) {
        struct edge *e = g->adj[v];
        while (e) {
            struct edge *next = e->next;
            free(e);
            e = next;
        }
        g->adj[v] = NULL;
    }
}

int main(void)
{
    struct graph g;
    int dist[MAXV];

    memset(&g, 0, sizeof g);
    g.nvertices = MAXV;
    add_edge(&g, 0, 1);
    add_edge(&g, 0, 2);
    add_edge(&g, 1, 3);
    add_edge(&g, 2, 3);
    add_edge(&g, 3, 4);
    add_edge(&g, 3, 17);
    bfs(&g, 0, dist);
    for (int v = 0; v < MAXV; v++)
        printf("%d: %d\n", v, dist[v]);
    free_graph(&g);
    return 0;
}
