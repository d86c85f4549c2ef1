using MqttCheck.Statistics;

namespace MqttCheck.Clusters.Properties.Pairs;

/// <summary>The answer that the pairs of runs so far give to a statement.</summary>
internal sealed record PairAnswer
{
    /// <summary>The statement that was asked.</summary>
    public required PairStatement Statement { get; init; }

    /// <summary>On how many pairs, or runs of one cluster, it rests.</summary>
    public required int Count { get; init; }

    /// <summary>The mean of the first cluster, in milliseconds for times; null for a property.</summary>
    public double? First { get; init; }

    /// <summary>The mean of the second cluster.</summary>
    public double? Second { get; init; }

    /// <summary>The mean ratio or difference, or the value of the property; null where nothing is known.</summary>
    public double? Estimate { get; init; }

    /// <summary>Its interval; null where there is none.</summary>
    public Interval? Interval { get; init; }

    /// <summary>
    /// Whether the error of the interval, and so of the verdict, is guaranteed or approximate; null without an
    /// interval.
    /// </summary>
    public IntervalPromise? Kind { get; init; }

    /// <summary>The interval if pairs are about normal, which is approximate; null where there is none.</summary>
    public Interval? IfNormal { get; init; }

    /// <summary>Whether a statement holds; null while that is not decided, and for what asks for a value.</summary>
    public bool? Holds { get; init; }

    /// <summary>Why, in a sentence without a full stop.</summary>
    public required string Reason { get; init; }
}
