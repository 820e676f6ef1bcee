// A function that nobody declares or defines: no answer.
// expect: main unsupported

int main(void)
{
    return frobnicate(1);
}
