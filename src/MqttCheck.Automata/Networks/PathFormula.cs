namespace MqttCheck.Automata.Networks;

/// <summary>A property of one run of a network: a condition over its variables, and when it has to hold.</summary>
public abstract record PathFormula
{
    private PathFormula(TimeBound bound) => Bound = bound;

    /// <summary>When it has to happen, or for how long to hold.</summary>
    public TimeBound Bound { get; init; }

    /// <summary>At some time in the interval the goal holds (F).</summary>
    /// <param name="Goal">A condition without clocks and random numbers.</param>
    /// <param name="Bound">The interval.</param>
    internal sealed record Eventually(Expression Goal, TimeBound Bound) : PathFormula(Bound)
    {
        /// <inheritdoc/>
        public override string ToString() => $"F{Bound} {Goal}";
    }

    /// <summary>At every time in the interval the condition holds (G).</summary>
    /// <param name="Condition">A condition without clocks and random numbers.</param>
    /// <param name="Bound">The interval.</param>
    internal sealed record Always(Expression Condition, TimeBound Bound) : PathFormula(Bound)
    {
        /// <inheritdoc/>
        public override string ToString() => $"G{Bound} {Condition}";
    }

    /// <summary>At some time in the interval the goal holds, and until then the condition does (U).</summary>
    /// <param name="Condition">A condition without clocks and random numbers.</param>
    /// <param name="Goal">Another one.</param>
    /// <param name="Bound">The interval.</param>
    internal sealed record Until(Expression Condition, Expression Goal, TimeBound Bound) : PathFormula(Bound)
    {
        /// <inheritdoc/>
        public override string ToString() => $"({Condition} U{Bound} {Goal})";
    }
}
