using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Charts;

/// <summary>Latency of a sample of the log against a column of the reader's choice.</summary>
internal static class ScatterChart
{
    private const double Height = 250;
    private const string Column = "column";

    public static Chart? Of(ScatterReport sample)
    {
        ScatterGroup[] groups = [.. sample.Groups.Where(group => group.LatencyMilliseconds.Any(y => y > 0))];
        if (groups.Length == 0 || sample.Columns.Count == 0)
            return null;
        var y = Scale.Around(groups.SelectMany(group => group.LatencyMilliseconds));
        return new()
        {
            X = [.. sample.Columns.Select((name, column) => Horizontal(groups, name, column))],
            Y = Axis.Up(y, "latency, ms (log)", Height),
            Height = Height,
            Choices =
            [
                new(
                    Column,
                    "Latency against",
                    [.. sample.Columns.Select((name, column) => KeyValuePair.Create(Value(column), name))]
                ),
                KindChoice.Of(groups.Select(group => group.Kind)),
            ],
            Marks =
            [
                .. groups.SelectMany(group => sample.Columns.Select((name, column) => Points(group, name, column))),
            ],
            Legend = [.. groups.Select(group => KindChoice.Key(group.Kind))],
        };
    }

    private static Axis Horizontal(ScatterGroup[] groups, string name, int column)
    {
        // Points stand up to half a step beside their whole number.
        var (low, high) = (
            groups.Min(group => group.Values[column].Min()) - 1,
            groups.Max(group => group.Values[column].Max()) + 1
        );
        return Axis.Across(new(low, high), name, Whole) with
        {
            When = new Dictionary<string, string> { [Column] = Value(column) },
        };
    }

    private static Mark Points(ScatterGroup group, string name, int column) =>
        new(MarkShape.Dots, Looks.Series(Looks.Kind(group.Kind)), group.Values[column], group.LatencyMilliseconds)
        {
            Symbol = Looks.Symbols(Looks.Kind(group.Kind)),
            Size = 4,
            Opacity = .6,
            IsJittered = true,
            Tip = $"{group.Kind.Name()}\n{{y}} ms\n{name} {{x:0}}",
            When = new Dictionary<string, string> { [Column] = Value(column), [KindChoice.Name] = group.Kind.Name() },
        };

    private static string Whole(double tick) => tick == Math.Floor(tick) && tick >= 0 ? Words.Number(tick) : "";

    private static string Value(int column) => column.ToString(CultureInfo.InvariantCulture);
}
