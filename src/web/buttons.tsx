// The two ways out of a form.
export function Buttons({ button, close }: { readonly button: string; close(): void }) {
  return (
    <div class="buttons">
      <button type="button" onClick={close}>
        Cancel
      </button>
      <button type="submit" class="main">
        {button}
      </button>
    </div>
  );
}
