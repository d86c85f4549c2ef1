using System.Globalization;

namespace MqttCheck.Automata.Networks;

/// <summary>When something has to happen: an interval of virtual time since the start.</summary>
/// <param name="Lower">The lower end, at least 0.</param>
/// <param name="Upper">The upper end; infinite for no bound.</param>
/// <param name="LowerOpen">Whether the lower end itself does not count.</param>
/// <param name="UpperOpen">Whether the upper end itself does not count.</param>
public readonly record struct TimeBound(double Lower, double Upper, bool LowerOpen = false, bool UpperOpen = false)
{
    /// <summary>Any time.</summary>
    public static TimeBound Any { get; } = new(0, double.PositiveInfinity);

    /// <summary>Whether the interval has ended at a time.</summary>
    /// <param name="time">The time.</param>
    public bool IsOverAt(double time) => time > Upper || (UpperOpen && time == Upper);

    /// <summary>
    /// Whether some time from <paramref name="from"/> (included) to <paramref name="until"/> (excluded unless it equals
    /// from) lies in the interval.
    /// </summary>
    /// <param name="from">The beginning of a stay.</param>
    /// <param name="until">Its end, at least the beginning; infinite if it lasts for ever.</param>
    public bool Meets(double from, double until)
    {
        if (IsOverAt(from))
            return false;
        var begun = LowerOpen ? from > Lower : from >= Lower;
        // A longer stay reaches a bound that it does not begin after, if that bound lies inside it and the interval has
        // a time there.
        return begun
            || (until > from && Lower < until && (Lower < Upper || (!LowerOpen && !UpperOpen && Lower == Upper)));
    }

    /// <inheritdoc/>
    public override string ToString() =>
        this == Any
            ? ""
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{(LowerOpen ? '(' : '[')}{Lower}, {Upper}{(UpperOpen || double.IsInfinity(Upper) ? ')' : ']')}"
            );
}
