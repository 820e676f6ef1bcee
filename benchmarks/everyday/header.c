/* Reads the header of an image and says how large the image is. */
#include <stdio.h>
#include <string.h>

struct header {
    char magic[4];
    unsigned char width[2];
    unsigned char height[2];
};

static unsigned number(const unsigned char bytes[2])
{
    return bytes[0] + 256u * bytes[1];
}

int main(void)
{
    struct header h;

    if (fread(&h, sizeof h, 1, stdin) != 1) {
        fprintf(stderr, "no header\n");
        return 1;
    }
    if (memcmp(h.magic, "IMG", 4) != 0) {
        fprintf(stderr, "not an image\n");
        return 1;
    }
    printf("%u x %u\n", number(h.width), number(h.height));
    return 0;
}
