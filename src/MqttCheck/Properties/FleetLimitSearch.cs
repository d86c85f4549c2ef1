using System.Globalization;
using MqttCheck.Latency;
using MqttCheck.Profiles;
using MqttCheck.Properties.Traces;
using MqttCheck.Sequential;
using MqttCheck.Statistics;

namespace MqttCheck.Properties;

/// <summary>
/// Finds the largest number of clients for which a property holds, by bisection. Each number of clients is decided by a
/// sequential test without indifference (<see cref="BoundedMeanTest"/>) on simulations of its own. All tests share one
/// error equally (union bound over the largest possible number of tests). So the adaptive choice of tests costs
/// nothing.
/// </summary>
/// <remarks>
/// The search assumes that the probability does not grow with the number of clients. A test may not decide within its
/// replications, if the probability is too near the required one. Then the answer is a gap, found from both sides. The
/// search of a learned model allows for the model's own error. A number of clients counts as decided only if that error
/// cannot turn the decision.
/// </remarks>
internal static class FleetLimitSearch
{
    /// <summary>Searches in the simulation of a model.</summary>
    /// <param name="property">A property <c>P&gt;=p[ ... ]</c>.</param>
    /// <param name="model">The latency model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="from">The smallest number of clients considered, 1 or more.</param>
    /// <param name="to">The largest, at least <paramref name="from"/>.</param>
    /// <param name="options">The seed, the error of the whole answer, and the most replications of one test.</param>
    /// <param name="tested">Is told of every test; null for nobody.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">A value is not allowed.</exception>
    /// <exception cref="OperationCanceledException">
    /// The work was stopped before a single number of clients was tested; later the answer is partial.
    /// </exception>
    public static FleetLimit Find(
        TraceProperty property,
        LatencyModel model,
        Population population,
        int from,
        int to,
        PropertyOptions options,
        Action<FleetLimitTest>? tested = null,
        CancellationToken cancellation = default
    ) => Find(property, model, null, population, from, to, options, tested, cancellation);

    /// <summary>
    /// Searches for the broker that a model was learned from: the decisions allow for the model's error, and where the
    /// model is not to be trusted nothing is decided.
    /// </summary>
    /// <param name="property">A property <c>P&gt;=p[ ... ]</c>.</param>
    /// <param name="model">The model, and what is known of its errors.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="from">The smallest number of clients considered, 1 or more.</param>
    /// <param name="to">The largest, at least <paramref name="from"/>.</param>
    /// <param name="options">The seed, the error of the whole answer, and the most replications of one test.</param>
    /// <param name="tested">Is told of every test; null for nobody.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">
    /// A value is not allowed, or the population has what the model has never seen.
    /// </exception>
    /// <exception cref="OperationCanceledException">
    /// The work was stopped before a single number of clients was tested; later the answer is partial.
    /// </exception>
    public static FleetLimit Predict(
        TraceProperty property,
        LearnedModel model,
        Population population,
        int from,
        int to,
        PropertyOptions options,
        Action<FleetLimitTest>? tested = null,
        CancellationToken cancellation = default
    )
    {
        Require(property, from, to);
        var allowances = new Dictionary<int, ModelAllowance>();
        var border = options.Beyond ? to : TrainingRange.Border(model, population, from, to);
        var limit = Find(property, model.Model, Allowance, population, from, border, options, tested, cancellation);
        int[] edges = limit switch
        {
            { Holds: { } holds, Fails: { } fails } => [holds, fails],
            { Holds: { } holds } =>
            [
                holds,
                .. limit.Tests.Select(test => test.Clients).Where(one => one > holds).Take(1),
            ],
            { Fails: { } fails } => [fails],
            _ => [.. limit.Tests.Select(test => test.Clients).Take(1)],
        };
        return limit with
        {
            Border = border < to ? border : null,
            Notes =
            [
                .. border < to && limit.Fails is null
                    ? [TrainingRange.EndsAt(model, population, border)]
                    : (string[])[],
                .. edges.Distinct().SelectMany(clients => allowances[clients].Notes).Distinct(),
            ],
            ModelLevel = model.Replay is null ? null : allowances[edges[0]].Level,
        };

        ModelAllowance Allowance(int clients) =>
            allowances[clients] = ModelAllowance.Of(property, model, population, clients, options, cancellation);
    }

    private static FleetLimit Find(
        TraceProperty property,
        LatencyModel model,
        Func<int, ModelAllowance>? allowance,
        Population population,
        int from,
        int to,
        PropertyOptions options,
        Action<FleetLimitTest>? tested,
        CancellationToken cancellation
    )
    {
        options.ThrowIfInvalid();
        Require(property, from, to);
        PropertySense.RequireSense(property, population);
        var sequences = options.SequencesPerTrace ?? SimulatedTraces.SequencesFor(property, population);
        var tests = new List<FleetLimitTest>();
        var errorOfTest = options.Error / LargestNumberOfTests(from, to);

        var open = new OpenRange(from, to);
        var isInterrupted = false;
        try
        {
            Test(from);
            if (open.Fails is null && to > from)
                Test(to);
            while (open.Next() is { } clients)
                Test(clients);
        }
        catch (OperationCanceledException) when (tests.Count > 0)
        {
            isInterrupted = true;
        }
        return new()
        {
            Property = property,
            Holds = open.Holds,
            Fails = open.Fails,
            Tests = tests,
            Error = options.Error,
            IsInterrupted = isInterrupted,
        };

        void Test(int clients)
        {
            // Each number of clients has simulations of its own, so that a test knows nothing of the others.
            var seed = RandomStream.For(options.Seed, (ulong)clients).NextUInt64();
            var grid = options.TimerGridMilliseconds;
            var traces = new SimulatedTraces(model, population, clients, sequences, seed, grid);
            var test = Decide(property, traces, allowance?.Invoke(clients), options, errorOfTest, cancellation);
            tests.Add(test);
            tested?.Invoke(test);
            open.Note(clients, test.Holds);
        }
    }

    private static void Require(TraceProperty property, int from, int to)
    {
        if (property.Kind != PropertyKind.AtLeast)
            throw new InputException($"property '{property}' cannot limit a fleet; allowed: P>=p[ formula ].");
        PropertySense.RequireLatencies(property);
        if (from < 1 || to < from)
            throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"clients from {from} to {to}; allowed: from 1 or more, to no less."
                )
            );
    }

    // The model's error lies between the two bounds: above the upper one the property holds on the broker too, below
    // the lower one it does not, and between them nothing is decided.
    private static FleetLimitTest Decide(
        TraceProperty property,
        SimulatedTraces traces,
        ModelAllowance? allowance,
        PropertyOptions options,
        double error,
        CancellationToken cancellation
    )
    {
        var (lower, upper) = allowance?.Bounds(property.Level) ?? (property.Level, property.Level);
        var (fails, holds) = (new BoundedMeanTest(lower, error), new BoundedMeanTest(upper, error));
        long held = 0;
        var judged = new List<JudgedTraces>();
        foreach (var unit in traces.Values(property, options.ShardRunner, null, cancellation))
        {
            held += unit.Values.Count(value => value == 1);
            judged.Add(JudgedTraces.Of([unit]));
            fails.Add(NeutralShares.Mean(unit.Values, lower));
            holds.Add(NeutralShares.Mean(unit.Values, upper));
            if (
                fails.Decision == SprtDecision.AcceptH0
                || holds.Decision == SprtDecision.AcceptH1
                || (fails.Decision, holds.Decision) == (SprtDecision.AcceptH1, SprtDecision.AcceptH0)
                || judged.Count >= options.LargestReplications
            )
                break;
        }
        var isTrusted = allowance?.IsTrusted ?? true;
        var all = JudgedTraces.Sum(judged);
        return new(
            traces.Clients,
            judged.Count,
            all,
            (double)held / all.Judged,
            !isTrusted ? null
                : holds.Decision == SprtDecision.AcceptH1 ? true
                : fails.Decision == SprtDecision.AcceptH0 ? false
                : null
        )
        {
            IsTrusted = isTrusted,
            IsWithinModelError = (fails.Decision, holds.Decision) == (SprtDecision.AcceptH1, SprtDecision.AcceptH0),
        };
    }

    /// <summary>
    /// The most tests that a search can make: both ends, the middle of a gap, and a bisection from each side of it.
    /// </summary>
    /// <param name="from">The smallest number of clients.</param>
    /// <param name="to">The largest.</param>
    internal static int LargestNumberOfTests(int from, int to) =>
        3 + 2 * (int)Math.Ceiling(Math.Log2(Math.Max(2, to - from)));

    // The numbers of clients at which the property is shown neither to hold nor not to hold.
    private sealed class OpenRange(int from, int to)
    {
        private (int Low, int High)? _undecided;

        public int? Holds { get; private set; }

        public int? Fails { get; private set; }

        // The middle of what is open; around undecided numbers their edges, one after the other.
        public int? Next() =>
            _undecided is { } gap ? Middle(Holds, gap.Low) ?? Middle(gap.High, Fails) : Middle(Holds, Fails);

        public void Note(int clients, bool? holds)
        {
            if (holds == true)
                Holds = Math.Max(Holds ?? clients, clients);
            else if (holds == false)
                Fails = Math.Min(Fails ?? clients, clients);
            else
                _undecided = _undecided is { } gap
                    ? (Math.Min(gap.Low, clients), Math.Max(gap.High, clients))
                    : (clients, clients);
            // Undecided fleet sizes outside of the range that is still open do not matter any more.
            if (_undecided is { } left)
            {
                left = (Math.Max(left.Low, (Holds ?? from - 1) + 1), Math.Min(left.High, (Fails ?? to + 1) - 1));
                _undecided = left.Low <= left.High ? left : null;
            }
        }

        private static int? Middle(int? low, int? high) =>
            low is { } below && high is { } above && above - below > 1 ? below + (above - below) / 2 : null;
    }
}
