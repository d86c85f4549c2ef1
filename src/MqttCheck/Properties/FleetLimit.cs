using MqttCheck.Properties.Traces;

namespace MqttCheck.Properties;

/// <summary>The largest number of clients for which a property holds, as far as it could be found.</summary>
public sealed record FleetLimit
{
    /// <summary>The property, a probability that is at least a number.</summary>
    public required TraceProperty Property { get; init; }

    /// <summary>The largest number of clients for which it was shown to hold; null when there is none.</summary>
    public required int? Holds { get; init; }

    /// <summary>The smallest number of clients for which it was shown not to hold; null when there is none.</summary>
    public required int? Fails { get; init; }

    /// <summary>The tests in the order in which they were made.</summary>
    public required IReadOnlyList<FleetLimitTest> Tests { get; init; }

    /// <summary>The largest probability that any of the tests decided wrongly.</summary>
    public required double Error { get; init; }

    /// <summary>
    /// What a reader must know of the validity of the answer: every caution that a prediction has of the numbers of
    /// clients on both sides of the limit.
    /// </summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>
    /// The level at which the decisions allow for the error of the model; null where they are about the simulation
    /// alone.
    /// </summary>
    public double? ModelLevel { get; init; }

    /// <summary>Whether the work was stopped before the search came to its end.</summary>
    public bool IsInterrupted { get; init; }

    /// <summary>Whether the limit is found to the client: it holds for one number and fails for the next.</summary>
    public bool IsExact => Holds is { } holds && Fails == holds + 1;
}
