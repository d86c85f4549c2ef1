using MqttCheck.Properties.Traces;
using MqttCheck.Statistics;

namespace MqttCheck.Properties;

/// <summary>The answers of two models to one property, and their difference.</summary>
internal sealed record PairedAnswer
{
    /// <summary>The property.</summary>
    public required TraceProperty Property { get; init; }

    /// <summary>The estimate with the first model; null where the property said nothing.</summary>
    public required double? First { get; init; }

    /// <summary>The estimate with the second.</summary>
    public required double? Second { get; init; }

    /// <summary>The first less the second.</summary>
    public double? Difference => First - Second;

    /// <summary>The interval of the difference; null where there is none.</summary>
    public Interval? Interval { get; init; }

    /// <summary>Whose traces the property was judged on, those of both models together.</summary>
    public required JudgedTraces Judged { get; init; }

    /// <summary>How many pairs of replications it rests on.</summary>
    public required int Pairs { get; init; }

    /// <summary>
    /// The standard error of the difference over that of as many replications that share no random numbers: below 1 the
    /// common numbers narrowed the interval. Null where neither model's answers vary.
    /// </summary>
    public double? Narrowing { get; init; }

    /// <summary>
    /// Whether the first model is shown to be better (true) or worse (false); null where the interval holds 0, or
    /// nothing says which value is better.
    /// </summary>
    public bool? IsFirstBetter { get; init; }

    /// <summary>How the interval was found and what it promises, in words.</summary>
    public required string Method { get; init; }

    /// <summary>Likely misunderstandings of the user about the property, one sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
