import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileExpression, defaultExpressionLimits } from '../compile';
import { evaluationError } from '../error';
import { toPlain } from '../plain';
import { createReference } from '../reference';
import { customFunctions } from './index';

interface Example {
  expression: string;
  input: { left: unknown; right: unknown };
  /** The result in the page's notation: JSON, `nothing` or `error <code>`. */
  gives: string;
}

const pageText = readFileSync(join(__dirname, '../../../../../docs/reference/expressions.md'), 'utf8');

const examples = [...tablesOf(pageText).flatMap((table) => examplesOf(table)), ...listedExamples(pageText)];

/** The tables of a page, each a list of rows, each a list of cells without their code marks. */
function tablesOf(page: string): string[][][] {
  return page.split('\n\n').map((block) =>
    block
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) =>
        line
          .slice(2, -2)
          .split(' | ')
          .map((cell) => cell.replaceAll('`', '')),
      ),
  );
}

/** Tables of examples are those whose first column is called Expression. */
function examplesOf([header, ...rows]: string[][]): Example[] {
  if (header?.[0] !== 'Expression') return [];
  const cellOf = (row: string[], column: string): string => row[header.indexOf(column)] ?? '{}';
  return rows.map((row) => ({
    expression: cellOf(row, 'Expression'),
    input: { left: JSON.parse(cellOf(row, 'Left')) as unknown, right: JSON.parse(cellOf(row, 'Right')) as unknown },
    gives: cellOf(row, 'Gives'),
  }));
}

/** Examples without records are list items: the expression, a colon, the result. */
function listedExamples(page: string): Example[] {
  return [...page.matchAll(/^- `(.+)`: (`.+`|nothing|error `\w+`)$/gm)].map(([, expression = '', gives = '']) => ({
    expression,
    input: { left: {}, right: {} },
    gives: gives.replaceAll('`', ''),
  }));
}

async function outcome(evaluate: () => unknown): Promise<string> {
  try {
    const value = toPlain(await evaluate());
    return value === undefined ? 'nothing' : JSON.stringify(value);
  } catch (error) {
    return `error ${evaluationError(error).code}`;
  }
}

function compact(gives: string): string {
  return gives === 'nothing' || gives.startsWith('error ') ? gives : JSON.stringify(JSON.parse(gives));
}

test.each(examples)('the page is right about $expression', async ({ expression, input, gives }) => {
  expect(await outcome(() => compileExpression(expression).evaluate(input))).toBe(compact(gives));
});

test.each(examples)('the reference agrees about $expression', async ({ expression, input, gives }) => {
  expect(await outcome(() => createReference(expression, defaultExpressionLimits).evaluate(input))).toBe(
    compact(gives),
  );
});

test.each(customFunctions)('the page has a section and examples of $$$name', ({ name }) => {
  expect(pageText).toContain(`\n### $${name}(`);
  expect(examples.filter(({ expression }) => expression.includes(`$${name}(`)).length).toBeGreaterThanOrEqual(2);
});
