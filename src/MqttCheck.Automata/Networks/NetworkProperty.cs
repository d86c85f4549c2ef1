using System.Globalization;

namespace MqttCheck.Automata.Networks;

/// <summary>A question about a network.</summary>
public abstract record NetworkProperty
{
    private NetworkProperty(string name) => Name = name;

    /// <summary>Its name.</summary>
    public string Name { get; init; }

    /// <summary>How likely a run has a property.</summary>
    /// <param name="Name">Its name.</param>
    /// <param name="Formula">The property of a run.</param>
    public sealed record Probability(string Name, PathFormula Formula) : NetworkProperty(Name)
    {
        /// <inheritdoc/>
        public override string ToString() => $"P({Formula})";
    }

    /// <summary>
    /// The expected value of a quantity when a condition first holds, or at a time, whichever of the two is given.
    /// </summary>
    /// <param name="Name">Its name.</param>
    /// <param name="Quantity">The quantity, without clocks and random numbers.</param>
    /// <param name="Accumulate">
    /// Whether the quantity's integral over the time from the start is meant instead of its value.
    /// </param>
    /// <param name="Reach">The condition, without clocks and random numbers; null if a time is given.</param>
    /// <param name="Time">The time, at least 0; null if a condition is given.</param>
    internal sealed record Expectation(
        string Name,
        Expression Quantity,
        bool Accumulate,
        Expression? Reach,
        double? Time
    ) : NetworkProperty(Name)
    {
        /// <inheritdoc/>
        public override string ToString() =>
            string.Create(
                CultureInfo.InvariantCulture,
                $"E({(Accumulate ? $"integral of {Quantity}" : Quantity)} "
                    + $"{(Reach is null ? $"at {Time}" : $"when {Reach}")})"
            );
    }
}
