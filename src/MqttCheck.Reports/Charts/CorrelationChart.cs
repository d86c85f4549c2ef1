using System.Globalization;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Charts;

/// <summary>Correlation matrix of the log's columns: the number stands in the cell, the colour repeats it.</summary>
internal static class CorrelationChart
{
    private const double RowHeight = 34;

    public static Chart? Of(CorrelationReport matrix)
    {
        var names = matrix.Columns;
        Cell[] cells =
        [
            .. matrix.Coefficients.SelectMany((row, i) => row.Select((r, j) => new Cell(i, j, r, names[i], names[j]))),
        ];
        return cells.Length == 0
            ? null
            : new()
            {
                X = [Axis.Columns(names)],
                Y = Axis.Rows(names),
                Height = names.Count * RowHeight,
                Marks =
                [
                    .. cells.Select(cell =>
                        Mark.Box(
                            cell.Column - .48,
                            cell.Column + .48,
                            -cell.Row - .46,
                            -cell.Row + .46,
                            cell.Role,
                            cell.Strength
                        ) with
                        {
                            Tips = [cell.Tip],
                        }
                    ),
                    new(
                        MarkShape.Texts,
                        Role.Ink,
                        [.. cells.Select(cell => (double)cell.Column)],
                        [.. cells.Select(cell => -(double)cell.Row)]
                    )
                    {
                        Texts = [.. cells.Select(cell => cell.Text)],
                    },
                ],
            };
    }

    private sealed record Cell(int Row, int Column, double R, string RowName, string ColumnName)
    {
        public Role Role =>
            !double.IsFinite(R) ? Role.Line
            : R < 0 ? Role.Negative
            : Role.Positive;

        public double Strength => double.IsFinite(R) ? Math.Min(1, Math.Abs(R)) : 1;

        public string Text =>
            !double.IsFinite(R) ? "–"
            : R == 1 ? "1"
            : Math.Abs(R) < .005 ? ".00"
            : R.ToString(".00;−.00", CultureInfo.InvariantCulture);

        public string Tip =>
            $"{RowName} and {ColumnName}\n"
            + (
                double.IsFinite(R)
                    ? $"correlation {R.ToString("0.00", CultureInfo.InvariantCulture)}"
                    : "one of them never changes"
            );
    }
}
