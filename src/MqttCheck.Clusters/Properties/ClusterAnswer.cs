using MqttCheck.Statistics;

namespace MqttCheck.Clusters.Properties;

/// <summary>The answer that the runs so far give to a property.</summary>
internal sealed record ClusterAnswer
{
    /// <summary>The property that was asked.</summary>
    public required ClusterProperty Property { get; init; }

    /// <summary>How many runs it rests on.</summary>
    public required int Runs { get; init; }

    /// <summary>Runs that do not know what it asks for; left out.</summary>
    public int Silent { get; init; }

    /// <summary>In how many runs the formula held; 0 for a measure.</summary>
    public int Fulfilling { get; init; }

    /// <summary>
    /// The share of runs, the expectation or the quantile, in milliseconds for times; null without a run that knows it.
    /// </summary>
    public double? Estimate { get; init; }

    /// <summary>Its interval; null where there is none.</summary>
    public Interval? Interval { get; init; }

    /// <summary>Whether the error of the interval is guaranteed or approximate; null without an interval.</summary>
    public IntervalPromise? Kind { get; init; }

    /// <summary>
    /// The approximate interval of an expectation, which assumes that runs are about normal; null where there is none.
    /// </summary>
    public Interval? IfNormal { get; init; }

    /// <summary>Whether a statement holds; null while that is not decided, and for what asks for a value.</summary>
    public bool? Holds { get; init; }

    /// <summary>Why, or how the value was found and what it promises, in a sentence without a full stop.</summary>
    public required string Reason { get; init; }
}
