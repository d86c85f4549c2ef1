using System.Globalization;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;
using MqttCheck.Shards;
using MqttCheck.Statistics;

namespace MqttCheck.Automata.Splitting;

/// <summary>
/// Estimates the probability of a rare event by splitting: runs that come near it are multiplied, so that few of them
/// have to be unlikely at once (Garvels 2000 for fixed effort; Villen-Altamirano 1991 for RESTART). Any level function
/// gives an unbiased estimate; a good one, a narrow interval.
/// </summary>
internal sealed class ImportanceSplitting
{
    private const int MostLevels = 200,
        PilotRuns = 500;

    // The share of runs that reach the next level, for which pilot runs look.
    private const double WantedShare = .2;

    // More runs than a repetition can make. The pilot runs have the streams before those of the first repetition.
    private const int StreamBits = 40;

    // The choice of a start has a stream of its own, besides the streams (run, automaton) of the run itself.
    private const ulong StartOfRun = 1;

    private readonly NetworkSimulator _simulator;
    private readonly SplittingOptions _options;
    private readonly Func<NetworkRun, double> _level,
        _goal,
        _condition;
    private readonly TimeBound _bound;
    private readonly List<NetworkRun> _spare = [];
    private readonly NetworkRun _work;
    private ulong _nextStream;
    private long _steps;

    internal ImportanceSplitting(
        NetworkSimulator simulator,
        NetworkProperty.Probability property,
        SplittingOptions options
    )
    {
        (_simulator, _options, _bound) = (simulator, options, property.Formula.Bound);
        var (condition, goal) = property.Formula switch
        {
            PathFormula.Eventually eventually => ((Expression)true, eventually.Goal),
            PathFormula.Until until => (until.Condition, until.Goal),
            _ => throw new InputException(
                $"property {property.Name}: splitting cannot estimate "
                    + $"{property.Formula}; allowed: F, U (of G, the complement)"
            ),
        };
        if (_bound.Lower != 0 || _bound.LowerOpen)
            throw new InputException(
                $"property {property.Name}: the time bound {_bound} begins later than 0; allowed for splitting: 0"
            );
        var where = $"property {property.Name}";
        _level = simulator.Compile(
            options.Level ?? SplittingLevels.Derive(simulator, goal),
            options.Level is null ? where : "level"
        );
        (_goal, _condition) = (simulator.Compile(goal, where), simulator.Compile(condition, where));
        _work = simulator.Start(0);
    }

    /// <summary>Estimates how likely a run has a property.</summary>
    /// <param name="simulator">The network.</param>
    /// <param name="property">A probability of F or U, with or without an upper time bound.</param>
    /// <param name="options">How.</param>
    /// <param name="runner">Who makes the repetitions; null for the threads of this process.</param>
    /// <param name="describe">
    /// Describes the job so that another process can make the repetitions; null where none can.
    /// </param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">
    /// An option or the property is not allowed, no level leads to the event, or a run makes no sense.
    /// </exception>
    /// <exception cref="OperationCanceledException">
    /// The work was stopped before two repetitions; later the estimate has the repetitions until then.
    /// </exception>
    public static SplittingEstimate Estimate(
        NetworkSimulator simulator,
        NetworkProperty.Probability property,
        SplittingOptions? options = null,
        IShardRunner? runner = null,
        Func<SplittingOptions, IReadOnlyList<SplittingLevel>, JobDescription>? describe = null,
        CancellationToken cancellation = default
    )
    {
        options ??= new();
        options.Check();
        var splitting = new ImportanceSplitting(simulator, property, options);
        var pilot = splitting.Pilot(cancellation);
        var job = new SplittingJob(simulator, property, options, pilot, describe);
        runner ??= new LocalShardRunner(Environment.ProcessorCount);
        var repetitions = new List<SplittingRepetition>();
        try
        {
            foreach (var repetition in runner.Run(job, options.Repetitions, cancellation))
                repetitions.Add(repetition);
        }
        catch (OperationCanceledException) when (repetitions.Count >= 2)
        {
            // Two repetitions are the fewest that give an interval.
        }
        double[] estimates = [.. repetitions.Select(repetition => repetition.Probability)];
        if (Array.TrueForAll(estimates, estimate => estimate == 0))
        {
            throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"splitting: no run reached the event of property {property.Name} "
                        + $"with effort {options.Effort} and {pilot.Count} levels; allowed: "
                        + $"more effort, or a level that leads to the event"
                )
            );
        }
        return new(
            new(estimates),
            [.. pilot.Select(level => level.Threshold)],
            splitting._steps + repetitions.Sum(repetition => repetition.Steps)
        );
    }

    /// <summary>Makes one repetition, with streams of its own.</summary>
    /// <param name="repetition">Its number, from 0.</param>
    /// <param name="levels">The levels.</param>
    /// <param name="cancellation">Stops the work.</param>
    internal SplittingRepetition Repeat(
        int repetition,
        IReadOnlyList<SplittingLevel> levels,
        CancellationToken cancellation
    )
    {
        _nextStream = ((ulong)repetition + 1) << StreamBits;
        _steps = 0;
        var probability =
            _options.Method == SplittingMethod.FixedEffort
                ? FixedEffort([.. levels.Select(level => level.Threshold)], cancellation)
                : Restart(levels, cancellation);
        return new(probability, _steps);
    }

    private enum End
    {
        Level,
        Goal,
        Dead,
    }

    // The run goes on until it reaches the level or the goal, or until the goal is out of reach.
    private End RunTo(NetworkRun run, double threshold)
    {
        while (true)
        {
            if (_bound.IsOverAt(run.Now))
                return End.Dead;
            if (_goal(run) != 0)
                return End.Goal;
            if (_condition(run) == 0)
                return End.Dead;
            if (_level(run) >= threshold)
                return End.Level;
            if (!run.Step())
                return End.Dead;
            _steps++;
        }
    }

    // Chooses thresholds such that about one run in five goes on to the next; with given thresholds it only finds these
    // shares.
    private List<SplittingLevel> Pilot(CancellationToken cancellation)
    {
        var levels = new List<SplittingLevel>();
        var starts = new List<NetworkRun>();
        var reached = _level(_work);
        var givenUntil = _options.Thresholds.Count;
        while (true)
        {
            cancellation.ThrowIfCancellationRequested();
            var first = _nextStream;
            double[] highest = [.. Enumerable.Range(0, PilotRuns).Select(_ => Highest(starts))];
            var hits = highest.Count(double.IsPositiveInfinity);
            double threshold;
            if (levels.Count < givenUntil)
                threshold = _options.Thresholds[levels.Count];
            else if (givenUntil > 0 || hits >= WantedShare * PilotRuns)
                break;
            else
            {
                double[] ascending = [.. highest.Order()];
                threshold = ascending[(int)((1 - WantedShare) * PilotRuns)];
                // If most runs get no nearer to the event, the threshold is the next value above the present one.
                if (!(threshold > reached))
                    threshold = ascending.FirstOrDefault(value => value > reached, double.NaN);
                // The event itself is all that lies higher.
                if (double.IsPositiveInfinity(threshold) || (double.IsNaN(threshold) && levels.Count > 0))
                    break;
            }
            var share = highest.Count(value => value >= threshold) / (double)PilotRuns;
            if (!(share > 0) || levels.Count >= MostLevels)
                throw NoneGotTo(threshold, reached);
            levels.Add(new(threshold, share));
            reached = threshold;
            // The same runs once more, now kept where they reach the threshold.
            var next = new List<NetworkRun>();
            for (var i = 0; i < PilotRuns; i++)
            {
                Begin(_work, starts, first + (ulong)i);
                if (highest[i] >= threshold && RunTo(_work, threshold) == End.Level)
                    next.Add(Kept(_work));
            }
            // If every run that reached the threshold reached the goal in the same step, no nearer level can be found.
            if (next.Count == 0)
                break;
            Release(starts);
            starts = next;
        }
        Release(starts);
        return levels;
    }

    private static InputException NoneGotTo(double threshold, double reached) =>
        new(
            string.Create(
                CultureInfo.InvariantCulture,
                $"splitting: of {PilotRuns} pilot runs from level {reached:G4} none got "
                    + $"to {(double.IsNaN(threshold) ? "a higher one" : $"{threshold:G4}")}; "
                    + $"allowed: a level that grows towards the event"
            )
        );

    // The highest level of a run from one of the states; infinite if it reaches the goal.
    private double Highest(List<NetworkRun> starts)
    {
        Begin(_work, starts, _nextStream++);
        var highest = double.NegativeInfinity;
        while (true)
        {
            switch (RunTo(_work, highest == double.NegativeInfinity ? highest : Math.BitIncrement(highest)))
            {
                case End.Goal:
                    return double.PositiveInfinity;
                case End.Dead:
                    return highest;
                default:
                    highest = _level(_work);
                    break;
            }
        }
    }

    // Each run draws where it begins: taken in turns, the first of the starts would count more often than the others,
    // and which ones come first depends on how well their parents did.
    private void Begin(NetworkRun run, List<NetworkRun> starts, ulong stream)
    {
        if (starts.Count == 0)
        {
            run.Restart(_options.Seed, stream);
            return;
        }
        run.CopyFrom(starts[RandomStream.For(_options.Seed, stream, 0, StartOfRun).NextInt(starts.Count)]);
        run.Reseed(_options.Seed, stream);
    }

    private double FixedEffort(double[] thresholds, CancellationToken cancellation)
    {
        var starts = new List<NetworkRun>();
        var probability = 1.0;
        var direct = 0.0;
        for (var stage = 0; stage <= thresholds.Length; stage++)
        {
            cancellation.ThrowIfCancellationRequested();
            var threshold = stage < thresholds.Length ? thresholds[stage] : double.PositiveInfinity;
            var next = new List<NetworkRun>();
            var hits = 0;
            for (var i = 0; i < _options.Effort; i++)
            {
                Begin(_work, starts, _nextStream++);
                var end = RunTo(_work, threshold);
                if (end == End.Level)
                    next.Add(Kept(_work));
                else if (end == End.Goal)
                    hits++;
            }
            // A run may jump over a level into the goal.
            direct += probability * hits / _options.Effort;
            probability *= (double)next.Count / _options.Effort;
            Release(starts);
            starts = next;
            if (next.Count == 0)
                break;
        }
        Release(starts);
        return direct;
    }

    private double Restart(IReadOnlyList<SplittingLevel> levels, CancellationToken cancellation)
    {
        // Each level is reached by about as many runs as the one before it.
        int[] factors = [.. levels.Select(level => Math.Clamp((int)Math.Round(1 / level.Share), 1, 100))];
        var waiting = new Stack<(NetworkRun Run, int Born, int At)>();
        var sum = 0.0;
        for (var i = 0; i < _options.Effort; i++)
        {
            cancellation.ThrowIfCancellationRequested();
            var start = _spare.Count > 0 ? Taken() : _simulator.Start(0);
            start.Restart(_options.Seed, _nextStream++);
            waiting.Push((start, 0, 0));
            while (waiting.TryPop(out var next))
                sum += Follow(next.Run, next.Born, next.At);
        }
        return sum / _options.Effort;

        // Born: the level below which the run ends, 0 for the first one of all. At: the levels it is above of.
        double Follow(NetworkRun run, int born, int at)
        {
            while (true)
            {
                var dead = _bound.IsOverAt(run.Now);
                var goal = !dead && _goal(run) != 0;
                var now =
                    goal ? levels.Count
                    : dead || _condition(run) == 0 ? -1
                    : Count(levels, _level(run));
                if (now < born || now < 0)
                {
                    _spare.Add(run);
                    return 0;
                }
                for (; at < now; at++)
                {
                    for (var copy = 1; copy < factors[at]; copy++)
                    {
                        var other = Kept(run);
                        other.Reseed(_options.Seed, _nextStream++);
                        waiting.Push((other, at + 1, at + 1));
                    }
                }
                at = now;
                if (goal || !run.Step())
                {
                    _spare.Add(run);
                    return goal ? Weight() : 0;
                }
                _steps++;
            }
        }

        double Weight() => factors.Aggregate(1.0, (weight, factor) => weight / factor);
    }

    private static int Count(IReadOnlyList<SplittingLevel> levels, double level)
    {
        var count = 0;
        while (count < levels.Count && level >= levels[count].Threshold)
            count++;
        return count;
    }

    private NetworkRun Kept(NetworkRun run)
    {
        var kept = _spare.Count > 0 ? Taken() : _simulator.Start(0);
        kept.CopyFrom(run);
        return kept;
    }

    private NetworkRun Taken()
    {
        var run = _spare[^1];
        _spare.RemoveAt(_spare.Count - 1);
        return run;
    }

    private void Release(List<NetworkRun> runs)
    {
        _spare.AddRange(runs);
        runs.Clear();
    }
}
