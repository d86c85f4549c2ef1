using System.Diagnostics;
using System.Globalization;
using MqttCheck.Properties.Language;

namespace MqttCheck.Clusters.Properties.Pairs;

/// <summary>
/// A question about two clusters whose runs are made in turn: <c>ratio[ throughput ]</c>, <c>ratio[ throughput ] in 1.6
/// to 2</c>, <c>difference[ delivery ]</c>, <c>difference[ delivery ] within 5ms</c>, or a property of one of them,
/// <c>first: P&gt;=0.9[ retransmitted = 0 ]</c>.
/// </summary>
internal sealed record PairStatement
{
    private const string Forms =
        "ratio[ measure ], ratio[ measure ] in 1.6 to 2, difference[ measure ], difference[ measure ] within 5ms, "
        + "first: PROPERTY, second: PROPERTY";

    /// <summary>The kind of the statement.</summary>
    public required PairStatementKind Kind { get; init; }

    /// <summary>The measure that is compared; unused for a property.</summary>
    public ClusterMeasure Measure { get; private init; }

    /// <summary>The property of one of the two; null for a comparison.</summary>
    public ClusterProperty? Property { get; private init; }

    /// <summary>The bounds of the mean, in milliseconds for times; null where the statement asks for a value.</summary>
    public (double Least, double Most)? Bounds { get; private init; }

    /// <summary>Whether it is a statement that holds or does not.</summary>
    public bool IsDecision => Property?.IsDecision ?? Bounds is not null;

    /// <summary>Whether it is about means.</summary>
    public bool IsOfMean => Property?.IsOfMean ?? true;

    /// <summary>Reads a statement.</summary>
    /// <param name="text">The text.</param>
    /// <param name="source">The origin of the text, for messages.</param>
    /// <exception cref="InputException">No statement; the message names the column and what is allowed.</exception>
    public static PairStatement Parse(string text, string source)
    {
        foreach (var (word, kind) in Sides)
        {
            // The columns of messages stay those of the whole text.
            if (text.TrimStart().StartsWith(word, StringComparison.Ordinal))
                return new()
                {
                    Kind = kind,
                    Property = ClusterProperty.Parse(
                        text.Replace(word, new string(' ', word.Length), StringComparison.Ordinal),
                        source
                    ),
                };
        }
        var cursor = new PropertyCursor(text, source);
        var head = cursor.Here;
        if (!cursor.Take("ratio") && !cursor.Take("difference"))
            throw cursor.Wrong(head, Forms);
        var isRatio = head.Text == "ratio";
        cursor.Expect("[");
        var measure = ClusterPropertyParser.Measure(cursor);
        cursor.Expect("]");
        var bounds = isRatio ? RatioBounds(cursor) : DifferenceBounds(cursor, measure);
        cursor.ExpectEnd("the end, or " + (isRatio ? "'in', such as 'in 1.6 to 2'" : "'within', such as 'within 5ms'"));
        return new()
        {
            Kind = isRatio ? PairStatementKind.Ratio : PairStatementKind.Difference,
            Measure = measure,
            Bounds = bounds,
        };
    }

    /// <inheritdoc/>
    public override string ToString() =>
        Kind switch
        {
            PairStatementKind.First => $"first: {Property}",
            PairStatementKind.Second => $"second: {Property}",
            PairStatementKind.Ratio when Bounds is { } bounds => Text(
                $"ratio[ {Measure} ] in {bounds.Least} to {bounds.Most}"
            ),
            PairStatementKind.Ratio => $"ratio[ {Measure} ]",
            PairStatementKind.Difference when Bounds is { } bounds => Text(
                $"difference[ {Measure} ] within {bounds.Most}"
            ) + (Measure.Quantity.IsDuration ? "ms" : ""),
            PairStatementKind.Difference => $"difference[ {Measure} ]",
            _ => throw new UnreachableException(),
        };

    private static (string Word, PairStatementKind Kind)[] Sides =>
        [("first:", PairStatementKind.First), ("second:", PairStatementKind.Second)];

    private static (double, double)? RatioBounds(PropertyCursor cursor)
    {
        if (!cursor.Take("in"))
            return null;
        var least = cursor.Number();
        cursor.Expect("to");
        var end = cursor.Here;
        var most = cursor.Number();
        return most >= least ? (least, most) : throw cursor.Wrong(end, "a number that is not below the first");
    }

    private static (double, double)? DifferenceBounds(PropertyCursor cursor, ClusterMeasure measure)
    {
        if (!cursor.Take("within"))
            return null;
        var most = measure.Quantity.IsDuration
            ? cursor.Duration("a duration with its unit (us, ms, s, min, h), such as 5ms", mayBeZero: true)
            : cursor.Number();
        return (-most, most);
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
