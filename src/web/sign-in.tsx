// What a browser sees that is not signed in.
interface Props {
  readonly refused: string | null;
  signIn(code: string): Promise<void>;
}

export function SignIn({ refused, signIn }: Props) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = new FormData(event.currentTarget as HTMLFormElement).get('code');
    void signIn(String(field ?? ''));
  };
  return (
    <main class="sign-in">
      <h1>sm</h1>
      <p>
        This browser is not signed in. Run <code>sm open</code> on the machine where your agents are, or{' '}
        <code>sm pair</code> for a phone.
      </p>
      <form onSubmit={submit}>
        <label for="code">Or type the code that it shows:</label>
        <input
          id="code"
          name="code"
          required
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck={false}
          placeholder="XXXX-XXXX"
        />
        <button type="submit">Sign in</button>
      </form>
      {refused !== null && (
        <p class="refused" role="alert">
          {refused}
        </p>
      )}
    </main>
  );
}
