using System.Globalization;

namespace MqttCheck.Broker.Faults;

/// <summary>How likely each fault and disturbance is, each time there is an occasion for it.</summary>
public sealed class FaultPlan
{
    private const string LoadPrefix = "load=";

    private readonly double[] _probabilities;

    private FaultPlan(double[] probabilities, int load = 0) => (_probabilities, Load) = (probabilities, load);

    /// <summary>None at all.</summary>
    public static FaultPlan None { get; } = new(new double[FaultCatalogue.All.Count]);

    /// <summary>Whether there is none at all.</summary>
    public bool IsEmpty => Array.TrueForAll(_probabilities, probability => probability == 0);

    /// <summary>
    /// The load above which there are faults, in publications that the broker received within the last second, 0 ..
    /// 1 000 000. Default 0: at any load.
    /// </summary>
    public int Load { get; }

    /// <summary>The probability of a fault or disturbance at each occasion, 0 .. 1.</summary>
    /// <param name="fault">A defined fault.</param>
    public double Probability(BrokerFault fault) => _probabilities[(int)fault];

    /// <summary>The same plan with one probability changed.</summary>
    /// <param name="fault">A defined fault.</param>
    /// <param name="probability">0 .. 1.</param>
    public FaultPlan With(BrokerFault fault, double probability)
    {
        Arguments.Require(probability is >= 0 and <= 1, probability, "allowed is 0 .. 1");
        var changed = (double[])_probabilities.Clone();
        changed[(int)fault] = probability;
        return new FaultPlan(changed, Load);
    }

    /// <summary>
    /// Reads <c>NAME:PROBABILITY</c>, several separated by commas; <c>none</c> for none. <c>load=R</c> among them lets
    /// all of them happen only above R publications per second.
    /// </summary>
    /// <param name="text">For example <c>lose:0.01,slow-reader:0.001</c>.</param>
    /// <param name="where">The origin of the text, for the message.</param>
    /// <exception cref="InputException">An unknown name, or a probability that is none.</exception>
    public static FaultPlan Parse(string text, string where)
    {
        var plan = None;
        if (text.Trim() == "none")
            return plan;
        foreach (var item in text.Split(',', StringSplitOptions.TrimEntries))
        {
            if (item.StartsWith(LoadPrefix, StringComparison.Ordinal))
            {
                plan = new FaultPlan(plan._probabilities, ParseLoad(item, where));
                continue;
            }
            var parts = item.Split(':');
            var known =
                FaultCatalogue.All.FirstOrDefault(description => description.Name == parts[0])
                ?? throw new InputException(
                    $"{where}: there is no fault '{parts[0]}'; there are "
                        + $"{string.Join(", ", FaultCatalogue.All.Select(d => d.Name))}, and load=R."
                );
            if (
                parts.Length != 2
                || !double.TryParse(parts[1], NumberStyles.Float, CultureInfo.InvariantCulture, out var probability)
                || probability is not (>= 0 and <= 1)
            )
                throw new InputException(
                    $"{where}: '{item}' has no probability; the form is {known.Name}:P with P in 0 .. 1."
                );
            plan = plan.With(known.Fault, probability);
        }
        return plan;
    }

    /// <summary>The plan in the form that <see cref="Parse"/> reads.</summary>
    public override string ToString() =>
        IsEmpty
            ? "none"
            : string.Join(
                ',',
                FaultCatalogue
                    .All.Where(d => Probability(d.Fault) > 0)
                    .Select(d => FormattableString.Invariant($"{d.Name}:{Probability(d.Fault)}"))
                    .Concat(Load > 0 ? [FormattableString.Invariant($"{LoadPrefix}{Load}")] : [])
            );

    private static int ParseLoad(string item, string where) =>
        int.TryParse(item.AsSpan(LoadPrefix.Length), NumberStyles.None, CultureInfo.InvariantCulture, out var load)
        && load <= 1_000_000
            ? load
            : throw new InputException(
                $"{where}: '{item}' is no load; the form is load=R with R in 0 .. 1000000 publications per second."
            );
}
