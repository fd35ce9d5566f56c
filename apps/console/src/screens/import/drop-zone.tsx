import { useRef, useState } from 'react';
import { useText } from '../../text';

/** Takes a file that is dropped or chosen. */
export function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const { importing } = useText();
  const [isOver, setOver] = useState(false);
  return (
    <div
      className={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      }}
    >
      <p className="drop-title">{importing.drop}</p>
      <p className="soft">{importing.dropHint}</p>
      <FileButton text={importing.choose} onFile={onFile} isPrimary />
    </div>
  );
}

/** Opens the choice of a file. */
export function FileButton({
  text,
  onFile,
  isPrimary = false,
}: {
  text: string;
  onFile: (file: File) => void;
  isPrimary?: boolean;
}) {
  const ref = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={isPrimary ? 'button primary' : 'button'} onClick={() => ref.current?.click()}>
        {text}
      </button>
      <input
        ref={ref}
        type="file"
        hidden
        aria-label={text}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}
