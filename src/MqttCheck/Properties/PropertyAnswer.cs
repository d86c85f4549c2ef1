using MqttCheck.Properties.Traces;
using MqttCheck.Statistics;

namespace MqttCheck.Properties;

/// <summary>The answer to a property, and what it rests on.</summary>
internal sealed record PropertyAnswer
{
    /// <summary>The property.</summary>
    public required TraceProperty Property { get; init; }

    /// <summary>
    /// The estimated probability, expectation or quantile (milliseconds for times); null for a distribution, or when no
    /// trace had a value.
    /// </summary>
    public double? Estimate { get; init; }

    /// <summary>The interval of the estimate; null where there is none.</summary>
    public Interval? Interval { get; init; }

    /// <summary>
    /// The interval of the simulation alone, where <see cref="Interval"/> holds the error of the model too; otherwise
    /// null.
    /// </summary>
    public Interval? OfSimulation { get; init; }

    /// <summary>
    /// For a comparison with a probability: whether it holds; null when the traces did not decide it, and for the other
    /// questions.
    /// </summary>
    public bool? Holds { get; init; }

    /// <summary>For a distribution: some quantiles with their intervals; empty for the other questions.</summary>
    public IReadOnlyList<QuantileRow> Quantiles { get; init; } = [];

    /// <summary>How many independent units it rests on: simulated setups, or live runs.</summary>
    public required long Units { get; init; }

    /// <summary>The name of the units: replications or runs.</summary>
    public required string UnitName { get; init; }

    /// <summary>Whose traces the property was judged on.</summary>
    public required JudgedTraces Judged { get; init; }

    /// <summary>How many traces were looked at.</summary>
    public long Traces => Judged.Traces;

    /// <summary>
    /// Traces about which the property says nothing, because they have no message of the kind asked for; left out.
    /// </summary>
    public long WithoutValue => Traces - Judged.Judged;

    /// <summary>Whether the property said nothing about any trace, so that there is no answer.</summary>
    public bool SaysNothing => Judged.Judged == 0;

    /// <summary>Likely misunderstandings of the user about the property, one sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>
    /// Traces that ended before their messages or their time decided the formula; they count as they stood.
    /// </summary>
    public long CutShort { get; init; }

    /// <summary>
    /// Traces of a log that are not counted: unfinished ones and those issued after them in their run.
    /// </summary>
    public long NotCounted { get; init; }

    /// <summary>Whether the work was stopped before there was as much as the question needs.</summary>
    public bool IsInterrupted { get; init; }

    /// <summary>How the answer was found and what its interval or decision promises, in words.</summary>
    public required string Method { get; init; }
}
