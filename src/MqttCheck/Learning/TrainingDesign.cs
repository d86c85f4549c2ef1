using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Learning;

/// <summary>
/// Which setups to run on a broker to learn its latencies. What is learned can only be as good as the loads that were seen: the latency at a given number of open
/// exchanges is another one in a saturated broker than in a quiet one.
/// </summary>
public static class TrainingDesign
{
    /// <summary>The fewest clients of a case.</summary>
    public const int FewestClients = 3;

    /// <summary>The most clients of a case. More load comes from shorter waits, not from more clients.</summary>
    public const int MostClients = 100;

    private const int FewestCases = 8;
    private const int MostCases = 40;
    private const double CaseSeconds = 3;

    /// <summary>
    /// Cases that cover the loads of the targets and more: clients, mean waits and mixes of messages vary from case to case, clients and mean waits each spread evenly over
    /// their range (a Latin hypercube). Mean waits reach from a small part of the targets' to above theirs, 25 .. 300 ms for waits of a quarter of a second.
    /// </summary>
    /// <param name="seed">The seed of the choice.</param>
    /// <param name="budget">How long all cases together may run: a minute for a sound model, ten seconds for a coarse one.</param>
    /// <param name="targets">What is to be predicted, at least one. Cases take topics, payloads, quality of service and sequence lengths from them in turn.</param>
    /// <exception cref="InputException">The budget is below a second.</exception>
    public static IReadOnlyList<TrainingCase> Doe2(ulong seed, TimeSpan budget, params IReadOnlyList<Population> targets)
    {
        RequireTargets(targets);
        if (budget < TimeSpan.FromSeconds(1))
            throw new InputException(string.Create(CultureInfo.InvariantCulture, $"training time: {budget.TotalSeconds} s given; allowed: at least 1 s"));
        var count = (int)Math.Clamp(Math.Round(budget.TotalSeconds / CaseSeconds), FewestCases, MostCases);
        var random = RandomStream.For(seed, 0x7261696E);
        var clientRanks = Permutation(count, ref random);
        var waitRanks = Permutation(count, ref random);
        var (shortest, longest) = MeanWaits(targets);
        var weights = WeightRanges(targets);
        var cases = new List<TrainingCase>(count);
        for (var run = 0; run < count; run++)
        {
            var clients = FewestClients + (int)((clientRanks[run] + random.NextDouble()) / count * (MostClients - FewestClients + 1));
            var mean = shortest + (longest - shortest) * (waitRanks[run] + random.NextDouble()) / count;
            var spread = random.NextDouble();
            var wait = new UniformLaw(Math.Round(mean * (1 - spread), 4), Math.Round(mean * (1 + spread), 4));
            var mix = Mix(weights, ref random);
            cases.Add(new(run, clients, Vary(targets[run % targets.Count], run, wait, mix)) { Duration = budget / count });
        }
        return cases;
    }

    /// <summary>The design of Aichernig and Schumi (QEST 2018): no waiting, every enabled kind equally likely, 100 cases of 50 messages. For comparison: a model
    /// learned from a saturated broker does not know a quiet one.</summary>
    /// <param name="seed">The seed of the choice.</param>
    /// <param name="targets">What is to be predicted, as in <see cref="Doe2"/>.</param>
    public static IReadOnlyList<TrainingCase> Saturated(ulong seed, params IReadOnlyList<Population> targets)
    {
        RequireTargets(targets);
        var random = RandomStream.For(seed, 0x73617475);
        var equal = new MessageWeights(1, 1, 1, 1, 1);
        var cases = new List<TrainingCase>(100);
        for (var run = 0; run < 100; run++)
        {
            var clients = FewestClients + random.NextInt(MostClients - FewestClients + 1);
            cases.Add(new(run, clients, Vary(targets[run % targets.Count], run, new ConstantLaw(0), equal)) { MessagesPerClient = 50 });
        }
        return cases;
    }

    private static void RequireTargets(IReadOnlyList<Population> targets)
    {
        ArgumentNullException.ThrowIfNull(targets);
        if (targets.Count == 0) throw new ArgumentException("No target given.", nameof(targets));
    }

    private static Population Vary(Population target, int run, Law wait, MessageWeights weights) => target with
    {
        Name = string.Create(CultureInfo.InvariantCulture, $"case-{run}"),
        Description = "",
        Groups = [.. target.Groups.Select(group => group with
        {
            Profile = group.Profile with { Description = "", WaitMilliseconds = wait, Weights = weights },
        })],
    };

    // Waits of about the targets' and down to a small part of it, but none so long that a case of seconds would see hardly a message.
    private static (double Shortest, double Longest) MeanWaits(IReadOnlyList<Population> targets)
    {
        var means = targets.Select(MeanWait).ToList();
        var longest = Math.Clamp(2 * means.Max(), 1, 300);
        return (Math.Min(Math.Min(25, means.Min() / 6), longest / 2), longest);
    }

    // The wait that would give the population's load if all clients had it: a harmonic mean. A client that does not wait counts as one that waits a tenth of a millisecond.
    private static double MeanWait(Population population) =>
        population.Groups.Sum(group => group.Share) / population.Groups.Sum(group => group.Share / Math.Max(group.Profile.WaitMilliseconds.Mean, 0.1));

    // For each kind from half the least to twice the greatest share among the targets' groups, and never so little that it would not be seen.
    private static (double Low, double High)[] WeightRanges(IReadOnlyList<Population> targets)
    {
        var mixes = targets.SelectMany(target => target.Groups).Select(group => group.Profile.Weights).ToList();
        return [.. Enum.GetValues<MessageKind>().Select(kind =>
        {
            var shares = mixes.Select(mix => mix.Of(kind) / (mix.Disconnect + mix.Publish + mix.Subscribe + mix.Unsubscribe)).ToList();
            return (Math.Max(0.02, shares.Min() / 2), Math.Max(0.1, 2 * shares.Max()));
        })];
    }

    private static MessageWeights Mix((double Low, double High)[] ranges, ref RandomStream random)
    {
        var weights = new double[ranges.Length];
        for (var kind = 0; kind < weights.Length; kind++)
            weights[kind] = Math.Round(ranges[kind].Low * Math.Pow(ranges[kind].High / ranges[kind].Low, random.NextDouble()), 4);
        return new(1, weights[(int)MessageKind.Disconnect], weights[(int)MessageKind.Publish], weights[(int)MessageKind.Subscribe], weights[(int)MessageKind.Unsubscribe]);
    }

    private static int[] Permutation(int count, ref RandomStream random)
    {
        var result = Enumerable.Range(0, count).ToArray();
        for (var i = count - 1; i > 0; i--)
        {
            var j = random.NextInt(i + 1);
            (result[i], result[j]) = (result[j], result[i]);
        }
        return result;
    }
}
