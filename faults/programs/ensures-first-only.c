/*@ ensures \true;
    ensures \result == 1; */
int f(void) {
    return 0;
}
