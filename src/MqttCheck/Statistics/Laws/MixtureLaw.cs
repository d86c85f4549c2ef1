using System.Collections.Immutable;

namespace MqttCheck.Statistics.Laws;

/// <summary>
/// One of several laws, chosen at random for each draw: for example a fast path and, now and then, a pause.
/// </summary>
internal sealed record MixtureLaw : Law
{
    private readonly double _totalWeight;

    /// <summary>A mixture of laws that are not mixtures themselves.</summary>
    /// <param name="components">At least one component; the weights need not add up to 1.</param>
    /// <exception cref="ArgumentException">
    /// No component, a weight that is not positive and finite, or a mixture inside the mixture.
    /// </exception>
    public MixtureLaw(IEnumerable<MixtureComponent> components)
    {
        Components = [.. components];
        if (Components.IsEmpty)
            throw new ArgumentException("A mixture needs at least one component.", nameof(components));
        foreach (var (weight, law) in Components)
        {
            if (!(weight > 0 && double.IsFinite(weight)))
                throw new ArgumentException(
                    $"The weight of a component must be positive and finite, not {weight}.",
                    nameof(components)
                );
            if (law is MixtureLaw)
                throw new ArgumentException("A mixture inside a mixture is not allowed.", nameof(components));
            _totalWeight += weight;
        }
        if (!double.IsFinite(_totalWeight))
            throw new ArgumentException("The sum of the weights must be finite.", nameof(components));
    }

    /// <summary>The components, in the order given.</summary>
    public ImmutableArray<MixtureComponent> Components { get; }

    /// <inheritdoc/>
    /// <remarks>Takes two numbers of the stream, whichever component is chosen.</remarks>
    public override double Draw(ref RandomStream random)
    {
        var remaining = random.NextDouble() * _totalWeight;
        var chosen = 0;
        while (chosen < Components.Length - 1 && (remaining -= Components[chosen].Weight) >= 0)
            chosen++;
        // A component takes at most one number; the stream moves by one whether it did or not.
        var copy = random;
        random.NextUInt64();
        return Components[chosen].Law.Draw(ref copy);
    }

    /// <inheritdoc/>
    public override double Mean => Components.Sum(component => component.Weight / _totalWeight * component.Law.Mean);

    /// <inheritdoc/>
    public override double CumulativeProbability(double x) =>
        Math.Min(
            1,
            Components.Sum(component => component.Weight / _totalWeight * component.Law.CumulativeProbability(x))
        );

    /// <summary>Whether the other mixture has equal components in the same order.</summary>
    /// <param name="other">The other mixture.</param>
    public bool Equals(MixtureLaw? other) =>
        other is not null && Components.AsSpan().SequenceEqual(other.Components.AsSpan());

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        foreach (var component in Components)
            hash.Add(component);
        return hash.ToHashCode();
    }

    /// <inheritdoc/>
    public override Law Scaled(double factor) =>
        new MixtureLaw(Components.Select(component => component with { Law = component.Law.Scaled(factor) }));

    /// <inheritdoc/>
    public override string ToString() => "mixture:" + string.Join('+', Components);
}
