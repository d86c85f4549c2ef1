using System.Globalization;
using MqttCheck.Automata.Networks;
using MqttCheck.Protocol;

namespace MqttCheck.Automata.Splitting;

/// <summary>How a rare event is estimated by splitting.</summary>
internal sealed record SplittingOptions
{
    /// <summary>The method.</summary>
    public SplittingMethod Method { get; init; }

    /// <summary>
    /// How near a state is to the event: larger is nearer. Null to derive it from the event, see
    /// <see cref="SplittingLevels.Derive"/>.
    /// </summary>
    public Expression? Level { get; init; }

    /// <summary>
    /// The values of the level at which runs are split, ascending. Empty to choose them by pilot runs.
    /// </summary>
    public ValueList<double> Thresholds { get; init; }

    /// <summary>
    /// Fixed effort: how many runs begin at each level. RESTART: how many begin at the start. 10 or more.
    /// </summary>
    public int Effort { get; init; } = 2_000;

    /// <summary>How many independent estimates are made; their spread gives the interval. 2 or more.</summary>
    public int Repetitions { get; init; } = 20;

    /// <summary>The seed.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>Checks every value.</summary>
    /// <exception cref="InputException">A value is not allowed.</exception>
    internal void Check()
    {
        var errors = new List<string>();
        if (Effort < 10)
            errors.Add(string.Create(CultureInfo.InvariantCulture, $"effort is {Effort}; allowed: 10 or more"));
        if (Repetitions < 2)
            errors.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"number of repetitions is {Repetitions}; allowed: 2 or more"
                )
            );
        for (var i = 1; i < Thresholds.Count; i++)
            if (!(Thresholds[i] > Thresholds[i - 1]))
                errors.Add(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"level {Thresholds[i]} follows {Thresholds[i - 1]}; allowed: ascending values"
                    )
                );
        InputException.ThrowIfAny(errors);
    }
}
