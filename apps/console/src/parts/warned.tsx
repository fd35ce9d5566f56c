import { useText } from '../text';

/** The words of a warning of the service: what its code says, where the language has a text for it, and its message. */
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
