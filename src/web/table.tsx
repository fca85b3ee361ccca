// Figures in rows and columns.
interface Props {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function Table({ heading, rows }: Props) {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            {heading.map((title, at) => (
              <th key={at} scope="col">
                {title.charAt(0) + title.slice(1).toLowerCase()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells[0]}>
              {cells.map((cell, at) => (
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
