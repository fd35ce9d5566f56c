import { useText } from '../text';

/** Shows a warning of the service: the text for its code, where the language has one, and its message. */
export function Warned({ code, message }: { code: string; message?: string | null | undefined }) {
  const { warned } = useText();
  const text = warned[code];
  if (text === undefined) return <bdi>{message ?? code}</bdi>;
  return (
    <>
      {text}
      {message ? (
        <>
          <br />
          <bdi className="soft" lang="en">
            {message}
          </bdi>
        </>
      ) : null}
    </>
  );
}
