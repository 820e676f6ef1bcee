// What nobody declares is still looked at.
// expect: main violated leak

main()
{
    char *p = malloc(4);
    if (!p) exit(1);
    strcpy(p, "abc");
    printf("%s\n", p);
    return 0; // BUG
}
