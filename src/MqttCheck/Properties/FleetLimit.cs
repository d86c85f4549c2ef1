using MqttCheck.Properties.Traces;
using static System.FormattableString;

namespace MqttCheck.Properties;

/// <summary>The largest number of clients for which a property holds, as far as it could be found.</summary>
internal sealed record FleetLimit
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
    /// The validity of the answer: every caution that a prediction has of the numbers of
    /// clients on both sides of the limit.
    /// </summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>
    /// The largest number of clients that the model may be asked about, if it is less than what was to be considered.
    /// </summary>
    public int? Border { get; init; }

    /// <summary>
    /// The level at which the decisions allow for the error of the model; null where they are about the simulation
    /// alone.
    /// </summary>
    public double? ModelLevel { get; init; }

    /// <summary>Whether the work was stopped before the search came to its end.</summary>
    public bool IsInterrupted { get; init; }

    /// <summary>Whether the limit is found to the client: it holds for one number and fails for the next.</summary>
    public bool IsExact => Holds is { } holds && Fails == holds + 1;

    /// <summary>Whose traces the limit is about; null where none was found.</summary>
    public JudgedTraces? Judged =>
        Tests.Where(test => test.Clients == (Holds ?? Fails)).Select(test => test.Judged).FirstOrDefault();

    /// <summary>The answer in words.</summary>
    /// <param name="from">The smallest number of clients that was considered.</param>
    /// <param name="to">The largest.</param>
    public string Describe(int from, int to) =>
        Judged?.InWords is { } judged ? $"{Limit(from, to)}, {judged}" : Limit(from, to);

    private string Limit(int from, int most) =>
        (Holds, Fails, Border ?? most) switch
        {
            ({ } holds, { } fails, _) when fails == holds + 1 => Invariant($"holds for at most {holds} clients"),
            ({ } holds, { } fails, _) => Invariant(
                $"holds for {holds} clients and not for {fails}; between them {Open}"
            ),
            ({ } holds, null, var to) when holds == to && Border is not null => Invariant(
                $"holds for {to} clients, the border of what the model may be asked about"
            ),
            ({ } holds, null, var to) when holds == to => Invariant(
                $"holds for {to} clients, the largest number considered"
            ),
            ({ } holds, null, var to) => Invariant($"holds for {holds} clients; up to {to} {Open}"),
            (null, { } fails, _) when fails == from => Invariant(
                $"does not hold for {from} clients, the smallest number considered"
            ),
            (null, { } fails, _) => Invariant($"does not hold for {fails} clients; from {from} on {Open}"),
            _ => "undecided, " + Open,
        };

    /// <summary>How right the answer is, and what would say more where it is open.</summary>
    public string Promise =>
        (Holds ?? Fails) is null ? $"nothing is decided; {Remedy}"
        : ModelLevel is { } level
            ? Invariant($"what is decided is right with probability {1 - Error} in simulation, and allows for the ")
                + Invariant($"model's own error at {level:P0}; both if more clients are never faster")
        : Invariant($"what is decided is right with probability {1 - Error} in simulation, if more clients are never ")
            + "faster; nothing is known of the model's own error";

    private bool IsLimitedByModel => Tests.Any(test => !test.IsTrusted || test.IsWithinModelError);

    private string Open =>
        Tests.Any(test => !test.IsTrusted) ? "there are numbers for which the model is not to be trusted"
        : IsLimitedByModel ? "the probability is nearer to the number asked for than the model may be off"
        : "the simulations did not decide";

    private string Remedy =>
        IsLimitedByModel ? "a model of more training cases may decide: explore such fleets" : "more replications may";
}
