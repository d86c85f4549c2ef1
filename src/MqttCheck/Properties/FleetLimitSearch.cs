using System.Globalization;
using MqttCheck.Latency;
using MqttCheck.Profiles;
using MqttCheck.Properties.Traces;
using MqttCheck.Sequential;
using MqttCheck.Statistics;

namespace MqttCheck.Properties;

/// <summary>
/// Finds the largest number of clients for which a property holds, by bisection. Each number of clients is decided by a
/// sequential test without indifference (<see cref="BoundedMeanTest"/>) on simulations of its own; all tests together
/// share one error equally (union bound over the largest number of tests that the search can make), so adaptive choice
/// of what to test costs nothing.
/// </summary>
/// <remarks>
/// The search takes it that the probability does not grow with the number of clients. Where the probability lies so
/// near the number asked for that a test does not decide within its replications, the answer is a gap, found from both
/// sides.
/// </remarks>
public static class FleetLimitSearch
{
    /// <summary>Searches.</summary>
    /// <param name="property">A property <c>P&gt;=p[ ... ]</c>.</param>
    /// <param name="model">The latency model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="from">The smallest number of clients considered, 1 or more.</param>
    /// <param name="to">The largest, at least <paramref name="from"/>.</param>
    /// <param name="options">The seed, the error of the whole answer, and the most replications of one test.</param>
    /// <param name="tested">Is told of every test; null for nobody.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">A value is not allowed.</exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static FleetLimit Find(
        TraceProperty property,
        LatencyModel model,
        Population population,
        int from,
        int to,
        PropertyOptions options,
        Action<FleetLimitTest>? tested = null,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(property);
        ArgumentNullException.ThrowIfNull(population);
        ArgumentNullException.ThrowIfNull(options);
        options.ThrowIfInvalid();
        Require(property, from, to);
        PropertySense.RequireSense(property, population);
        var sequences = options.SequencesPerTrace ?? SimulatedTraces.SequencesFor(property, population);
        var tests = new List<FleetLimitTest>();
        var errorOfTest = options.Error / LargestNumberOfTests(from, to);

        var open = new OpenRange(from, to);
        Test(from);
        if (open.Fails is null && to > from)
            Test(to);
        while (open.Next() is { } clients)
            Test(clients);
        return new()
        {
            Property = property,
            Holds = open.Holds,
            Fails = open.Fails,
            Tests = tests,
            Error = options.Error,
        };

        void Test(int clients)
        {
            var test = Decide(property, model, population, clients, sequences, options, errorOfTest, cancellation);
            tests.Add(test);
            tested?.Invoke(test);
            open.Note(clients, test.Holds);
        }
    }

    private static void Require(TraceProperty property, int from, int to)
    {
        if (property.Kind != PropertyKind.AtLeast)
            throw new InputException($"property '{property}' cannot limit a fleet; allowed: P>=p[ formula ].");
        if (property.UsesAcknowledgements)
            throw new InputException(
                $"property '{property}' reads acknowledgement; allowed in a "
                    + "simulation: latency, which is all that a latency model knows."
            );
        if (from < 1 || to < from)
            throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"clients from {from} to {to}; allowed: from 1 or more, to no less."
                )
            );
    }

    private static FleetLimitTest Decide(
        TraceProperty property,
        LatencyModel model,
        Population population,
        int clients,
        int sequences,
        PropertyOptions options,
        double error,
        CancellationToken cancellation
    )
    {
        // Each number of clients has simulations of its own, so that a test knows nothing of the others.
        var seed = RandomStream.For(options.Seed, (ulong)clients).NextUInt64();
        var traces = new SimulatedTraces(model, population, clients, sequences, seed, options.TimerGridMilliseconds);
        var test = new BoundedMeanTest(property.Level, error);
        long held = 0,
            judged = 0;
        foreach (var (values, _) in traces.Values(property, options.ShardRunner, null, cancellation))
        {
            held += values.Count(value => value == 1);
            judged += values.Count(value => !double.IsNaN(value));
            test.Add(NeutralShares.Mean(values, property.Level));
            if (test.Decision != SprtDecision.Undecided || test.Samples >= options.LargestReplications)
                break;
        }
        return new(
            clients,
            test.Samples,
            (double)held / judged,
            test.Decision switch
            {
                SprtDecision.AcceptH1 => true,
                SprtDecision.AcceptH0 => false,
                _ => null,
            }
        );
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
            // What was undecided and lies outside of what is open now is no matter any more.
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
