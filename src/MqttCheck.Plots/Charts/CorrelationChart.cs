using System.Globalization;
using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>Correlation matrix of the log's columns: the number stands in the cell, the colour repeats it.</summary>
internal static class CorrelationChart
{
    private const double RowHeight = 34;

    public static Picture? Of(ReportInput input, Figure figure) =>
        input.Log?.Correlation is not { Columns.Count: > 0 } matrix
            ? null
            : new("correlation", figure.Title, figure.StillCaption, () => Draw(matrix, figure));

    private static Sheet Draw(CorrelationReport matrix, Figure figure)
    {
        var names = matrix.Columns;
        var longest = names.Max(name => Typefaces.Width(name, Sheet.TextSize));
        var sheet = new Sheet(figure.Title, figure.StillCaption)
        {
            DataHeight = names.Count * RowHeight,
            Below = longest * Math.Sin(Math.PI / 5) + 20,
        };
        sheet.SetRows(names);
        sheet.SetX(new(-.5, names.Count - .5));
        for (var row = 0; row < names.Count; row++)
        {
            for (var column = 0; column < names.Count; column++)
            {
                var r = matrix.Coefficients[row][column];
                sheet.Box(column - .48, column + .48, -row - .46, -row + .46, Palette.Correlation(r));
                sheet.Write(Text(r), (column, -row), Alignment.MiddleCenter, Palette.Ink, bold: false, ground: false);
            }
            var below = sheet.Left + sheet.X.Share(row) * sheet.DataWidth;
            sheet.Write(
                names[row],
                below + 6,
                sheet.DataHeight + 10,
                Alignment.UpperRight,
                Palette.Soft,
                rotation: -36
            );
        }
        return sheet;
    }

    private static string Text(double r) =>
        !double.IsFinite(r) ? "–"
        : r == 1 ? "1"
        : Math.Abs(r) < .005 ? ".00"
        : r.ToString(".00;−.00", CultureInfo.InvariantCulture);
}
