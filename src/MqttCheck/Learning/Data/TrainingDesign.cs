using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Learning.Data;

/// <summary>
/// Chooses the setups to run on a broker to learn its latencies. A model is only as good as the loads that were seen.
/// The latency at a given number of open exchanges differs between a saturated broker and a quiet one.
/// </summary>
internal static class TrainingDesign
{
    /// <summary>The fewest clients of a case.</summary>
    public const int FewestClients = 3;

    /// <summary>
    /// The most clients of a case, unless more are to be predicted. More load comes from shorter waits, not from more
    /// clients.
    /// </summary>
    public const int MostClients = 100;

    private const int FewestCases = 8;
    private const int MostCases = 40;
    private const double CaseSeconds = 4;

    // If more clients than usual are to be predicted, one case in this many has a larger fleet.
    private const int LargeShare = 5;
    private const int FewestLarge = 2;

    // No client of a large case waits longer than this part of the case, or it would hardly be seen.
    private const double LongestLargeWait = .4;

    // The busiest large case offers this many times the load to be predicted. So the prediction lies inside the
    // observed range, latencies and connecting included.
    private const double LoadReserve = 1.5;

    // One case in this many waits by another law than its target, for predictions of other profiles.
    private const int OtherShapes = 4;

    // Milliseconds. Clients that wait for less count as clients that do not wait: no factor makes their waits longer.
    private const double NoWait = 0.1;

    /// <summary>
    /// Cases that cover the loads of the targets and more: clients, mean waits and mixes of messages vary from case to
    /// case, clients and mean waits each spread over their range (a Latin hypercube; clients more densely at its upper
    /// end), paired so that the offered loads leave no large gap between the least and the greatest. Waits keep the
    /// shape of the targets' laws in three cases of four: a message that is held back until its receiver sends
    /// something itself takes what is left of a wait, which is two thirds of the mean for waits from 0 to twice the
    /// mean, and half of it for constant ones. Mean waits reach from a small part of the targets' to above theirs, 25
    /// .. 300 ms for waits of a quarter of a second.
    /// </summary>
    /// <param name="seed">The seed of the choice.</param>
    /// <param name="budget">
    /// How long all cases together may run: a minute for a sound model, ten seconds for a coarse one.
    /// </param>
    /// <param name="targets">The populations to predict, at least one. Cases take topics, payloads, quality of service
    /// and sequence lengths from them in turn.</param>
    /// <exception cref="InputException">The budget is below a second.</exception>
    public static IReadOnlyList<TrainingCase> Doe2(
        ulong seed,
        TimeSpan budget,
        params IReadOnlyList<Population> targets
    ) => Doe2(seed, budget, MostClients, targets);

    /// <summary>
    /// The same for predictions of more than <see cref="MostClients"/> clients: one case in five is then the target
    /// itself, its mix of messages unchanged, with more clients, up to as many as asked. Waits are shorter than the
    /// target's where a case of seconds would else see hardly a message. Loads reach from the target's to that of the
    /// other cases, and in any case beyond the target's.
    /// </summary>
    /// <param name="seed">The seed of the choice.</param>
    /// <param name="budget">How long all cases together may run.</param>
    /// <param name="upToClients">The largest number of clients that is to be predicted, 1 or more.</param>
    /// <param name="targets">The populations to predict, at least one.</param>
    /// <exception cref="InputException">The budget is below a second.</exception>
    public static IReadOnlyList<TrainingCase> Doe2(
        ulong seed,
        TimeSpan budget,
        int upToClients,
        params IReadOnlyList<Population> targets
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(upToClients);
        RequireTargets(targets);
        if (budget < TimeSpan.FromSeconds(1))
            throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"training time: {budget.TotalSeconds} s given; allowed: at least 1 s"
                )
            );
        var all = (int)Math.Clamp(Math.Round(budget.TotalSeconds / CaseSeconds), FewestCases, MostCases);
        var large = upToClients > MostClients ? Math.Max(FewestLarge, all / LargeShare) : 0;
        var usual = Usual(seed, budget * (all - large) / all, all - large, targets);
        return [.. usual, .. Large(seed, budget * large / all, large, all - large, upToClients, targets)];
    }

    private static List<TrainingCase> Usual(ulong seed, TimeSpan budget, int count, IReadOnlyList<Population> targets)
    {
        var random = RandomStream.For(seed, 0x7261696E);
        var (shortest, longest) = MeanWaits(targets);
        var weights = WeightRanges(targets);
        var setups = SpreadLoads(count, shortest, longest, ref random);
        // A case whose clients wait twice as long runs about twice as long: otherwise the log would hold little of the
        // quiet cases, which are most like what is predicted.
        var typical = setups.Average(setup => setup.MeanWait);
        var shares = Array.ConvertAll(setups, setup => 1 + 3 * setup.MeanWait / typical);
        var total = shares.Sum();
        var cases = new List<TrainingCase>(count);
        for (var run = 0; run < count; run++)
        {
            var (clients, mean) = setups[run];
            var spread = random.NextDouble();
            var mix = Mix(weights, ref random);
            var target = targets[run % targets.Count];
            var other = new UniformLaw(Math.Round(mean * (1 - spread), 4), Math.Round(mean * (1 + spread), 4));
            var factor = Math.Round(mean / MeanWait(target), 6);
            var population =
                run / targets.Count % OtherShapes == OtherShapes - 1
                    ? Vary(target, run, _ => other, _ => mix, 0)
                    : Vary(target, run, wait => wait.Mean < NoWait ? other : wait.Scaled(factor), _ => mix, factor);
            cases.Add(new(run, clients, population) { Duration = budget * (shares[run] / total) });
        }
        return cases;
    }

    // The last case has the most clients and the greatest load; the others lie evenly below it, on a logarithmic scale,
    // few clients with much load and many with little.
    private static List<TrainingCase> Large(
        ulong seed,
        TimeSpan budget,
        int count,
        int first,
        int upToClients,
        IReadOnlyList<Population> targets
    )
    {
        var cases = new List<TrainingCase>(count);
        var random = RandomStream.For(seed, 0x6C617267);
        var (shortest, _) = MeanWaits(targets);
        for (var i = 0; i < count; i++)
        {
            var target = targets[i % targets.Count];
            var duration = budget / count;
            var position = i == count - 1 ? 1 : (i + random.NextDouble()) / count;
            var clients = (int)Math.Round(MostClients * Math.Pow((double)upToClients / MostClients, position));
            var asked = clients * LargestLoad(target) / MeanWait(target);
            var least = Math.Max(asked, clients / (LongestLargeWait * duration.TotalMilliseconds));
            // Deliveries grow with the square of the clients, so the other cases' load is too much for many.
            var most = Math.Max(least * LoadReserve, MostClients / shortest * MostClients / clients);
            var load = least * Math.Pow(most / least, i == count - 1 ? 1 : 1 - position);
            var factor = Math.Round(clients / load / MeanWait(target), 6);
            var population = Vary(target, first + i, wait => Scaled(wait, factor), profile => profile.Weights, factor);
            cases.Add(new(first + i, clients, population) { Duration = duration });
        }
        return cases;
    }

    private static Law Scaled(Law wait, double factor) => wait.Mean < NoWait ? wait : wait.Scaled(factor);

    /// <summary>
    /// The design of Aichernig and Schumi (QEST 2018): no waiting, every enabled kind equally likely, 100 cases of 50
    /// messages. For comparison: a model learned from a saturated broker does not know a quiet one.
    /// </summary>
    /// <param name="seed">The seed of the choice.</param>
    /// <param name="targets">The populations to predict, as in the other designs.</param>
    public static IReadOnlyList<TrainingCase> Saturated(ulong seed, params IReadOnlyList<Population> targets)
    {
        RequireTargets(targets);
        var random = RandomStream.For(seed, 0x73617475);
        var equal = new MessageWeights(1, 1, 1, 1, 1);
        var cases = new List<TrainingCase>(100);
        for (var run = 0; run < 100; run++)
        {
            var clients = FewestClients + random.NextInt(MostClients - FewestClients + 1);
            cases.Add(
                new(run, clients, Vary(targets[run % targets.Count], run, _ => new ConstantLaw(0), _ => equal, 0))
                {
                    MessagesPerClient = 50,
                }
            );
        }
        return cases;
    }

    private static void RequireTargets(IReadOnlyList<Population> targets)
    {
        if (targets.Count == 0)
            throw new ArgumentException("No target given.", nameof(targets));
    }

    // Orders and instants are kept, with other times between them; with a factor of 0 they are left out.
    private static Population Vary(
        Population target,
        int run,
        Func<Law, Law> wait,
        Func<UsageProfile, MessageWeights> weights,
        double factor
    ) =>
        target with
        {
            Name = string.Create(CultureInfo.InvariantCulture, $"case-{run}"),
            Description = "",
            Groups =
            [
                .. target.Groups.Select(group =>
                    group with
                    {
                        Profile = group.Profile with
                        {
                            Description = "",
                            WaitMilliseconds =
                                factor > 0 && group.Profile.Simultaneous is not null
                                    ? Scaled(group.Profile.WaitMilliseconds, factor)
                                    : wait(group.Profile.WaitMilliseconds),
                            Waits = group.Profile.IsScripted
                                ? Scaled(group.Profile.Waits, factor)
                                : group.Profile.Waits,
                            // A case is short and shows one load; the simulation follows the course of loads.
                            RampUpSeconds = 0,
                            ConnectsPerSecond = null,
                            Stages = [],
                            Weights = weights(group.Profile),
                            Order = factor > 0 ? group.Profile.Order : [],
                            Simultaneous = factor > 0 ? Scaled(group.Profile.Simultaneous, factor) : null,
                        },
                    }
                ),
            ],
        };

    private static MessageWaits? Scaled(MessageWaits? waits, double factor) =>
        waits is null || factor == 0
            ? null
            : new(
                waits.Connect?.Scaled(factor),
                waits.Disconnect?.Scaled(factor),
                waits.Publish?.Scaled(factor),
                waits.Subscribe?.Scaled(factor),
                waits.Unsubscribe?.Scaled(factor)
            );

    private static Instants? Scaled(Instants? instants, double factor) =>
        instants is null
            ? null
            : instants with
            {
                EverySeconds = Math.Max(BehaviourKeys.ShortestPeriod, instants.EverySeconds * factor),
                JitterSeconds = instants.JitterSeconds * factor,
            };

    // Waits range from about the targets' down to a small part of it. None is so long that a case of seconds would see
    // hardly a message.
    private static (double Shortest, double Longest) MeanWaits(IReadOnlyList<Population> targets)
    {
        var means = targets.Select(MeanWait).ToList();
        var longest = Math.Clamp(2 * means.Max(), 1, 300);
        var busiest = targets.Max(LargestLoad);
        var shorter = Math.Max(6, 2 * busiest);
        return (Math.Min(Math.Min(25, means.Min() / shorter), longest / 2), longest);
    }

    private static double LargestLoad(Population population) =>
        population.Groups.Max(group => group.Profile.LargestLoad);

    // The wait that would give the population's load if all clients had it: a harmonic mean. A client that does not
    // wait counts as one that hardly does.
    private static double MeanWait(Population population) =>
        population.Groups.Sum(group => group.Share)
        / population.Groups.Sum(group => group.Share / Math.Max(UsualWait(group.Profile), NoWait));

    private static double UsualWait(UsageProfile profile) =>
        profile.IsScripted ? ClientLife.Of(profile).MeanWaitMilliseconds : profile.WaitMilliseconds.Mean;

    // For each kind from half the least to twice the greatest share among the targets' groups, and never so little that
    // it would not be seen.
    private static (double Low, double High)[] WeightRanges(IReadOnlyList<Population> targets)
    {
        var mixes = targets
            .SelectMany(target => target.Groups)
            .Select(group => ClientLife.WeightsOf(group.Profile))
            .ToList();
        return
        [
            .. Enum.GetValues<MessageKind>()
                .Select(kind =>
                {
                    var shares = mixes
                        .Select(mix => mix.Of(kind) / (mix.Disconnect + mix.Publish + mix.Subscribe + mix.Unsubscribe))
                        .ToList();
                    return (Math.Max(0.02, shares.Min() / 2), Math.Max(0.1, 2 * shares.Max()));
                }),
        ];
    }

    private static MessageWeights Mix((double Low, double High)[] ranges, ref RandomStream random)
    {
        var weights = new double[ranges.Length];
        for (var kind = 0; kind < weights.Length; kind++)
            weights[kind] = Math.Round(
                ranges[kind].Low * Math.Pow(ranges[kind].High / ranges[kind].Low, random.NextDouble()),
                4
            );
        return new(
            1,
            weights[(int)MessageKind.Disconnect],
            weights[(int)MessageKind.Publish],
            weights[(int)MessageKind.Subscribe],
            weights[(int)MessageKind.Unsubscribe]
        );
    }

    // Clients and mean waits occur once in every part of their range. Among many random pairings of the two, the one
    // with the smallest largest gap between loads (clients / wait) is taken. Gaps are logarithmic and include the
    // possible ends. A load between two observed ones is predicted; a load beyond them is guessed.
    private static (int Clients, double MeanWait)[] SpreadLoads(
        int count,
        double shortest,
        double longest,
        ref RandomStream random
    )
    {
        const int pairings = 200;
        var (least, greatest) = (Math.Log(FewestClients / longest), Math.Log(MostClients / shortest));
        (int Clients, double MeanWait)[] best = [];
        var smallest = double.PositiveInfinity;
        for (var pairing = 0; pairing < pairings; pairing++)
        {
            var order = Permutation(count, ref random);
            var setups = new (int Clients, double MeanWait)[count];
            for (var i = 0; i < count; i++)
            {
                // Larger cases more often: they show more in the same time, and topics with several subscribers at all.
                var clients =
                    FewestClients
                    + (int)(Math.Sqrt((i + random.NextDouble()) / count) * (MostClients - FewestClients + 1));
                setups[i] = (clients, shortest + (longest - shortest) * (order[i] + random.NextDouble()) / count);
            }
            var loads = setups
                .Select(setup => Math.Log(setup.Clients / setup.MeanWait))
                .Append(least)
                .Append(greatest)
                .Order()
                .ToArray();
            var gap = loads.Zip(loads.Skip(1), (low, high) => high - low).Max();
            if (gap < smallest)
                (best, smallest) = (setups, gap);
        }
        // In random order: held-out cases and slow drift of the machine then fall on all loads alike.
        var places = Permutation(count, ref random);
        return [.. places.Select(place => best[place])];
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
