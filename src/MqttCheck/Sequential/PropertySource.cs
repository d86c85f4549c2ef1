using System.Runtime.ExceptionServices;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;
using MqttCheck.Statistics;

namespace MqttCheck.Sequential;

/// <summary>
/// An FsCheck property as a source of independent outcomes: each outcome is one case with a seed of its own, so that an
/// estimator or a sequential test can say how often the property holds. A failed case is not shrunk unless that is
/// asked for: shrinking runs the property again, on a live broker with effects.
/// </summary>
/// <remarks>
/// Cases are numbered; case i of a seed has the same values in every run. Async properties are awaited. One thread at a
/// time may use a source.
/// <para>
/// FsCheck shrinks whatever fails, and has no setting against it. It shrinks values that are generated outside of a
/// task only, so each case hands the property to FsCheck as the result of a finished task.
/// </para>
/// </remarks>
public sealed class PropertySource
{
    /// <summary>After so many rejected cases in a row a source gives up.</summary>
    public const int LargestRejectedRow = 1000;

    private readonly Property _property,
        _unshrunk;
    private readonly Config _config;
    private readonly ulong _seed;
    private readonly int _size;

    /// <summary>A source.</summary>
    /// <param name="property">The property.</param>
    /// <param name="seed">The seed of all cases.</param>
    /// <param name="size">
    /// The size of generated values, the same for every case, since outcomes must be alike; at least 0.
    /// </param>
    /// <param name="generators">
    /// Types whose static members give generators for values that the property does not generate itself, as in
    /// FsCheck's configuration.
    /// </param>
    public PropertySource(Property property, ulong seed, int size = 50, params IEnumerable<Type> generators)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(size);
        (_property, _seed, _size) = (property, seed, size);
        var finished = Task.FromResult(property);
        _unshrunk = Prop.ForAll(
            Gen.Constant<object?>(null).ToArbitrary(),
            (Func<object?, Task<Property>>)(_ => finished)
        );
        _config = Config.Quick.WithMaxTest(1).WithMaxRejected(1).WithQuietOnSuccess(true);
        if (generators.Any())
            _config = _config.WithArbitrary(generators);
    }

    /// <summary>The number of the next case, from 0.</summary>
    public long NextCase { get; private set; }

    /// <summary>Runs the next case that the property's precondition accepts.</summary>
    /// <returns>Whether the property holds in this case.</returns>
    /// <exception cref="InvalidOperationException">
    /// The precondition rejects 1000 cases in a row, or a generator throws.
    /// </exception>
    public bool Next()
    {
        for (var rejected = 0; rejected < LargestRejectedRow; rejected++)
            if (Run(NextCase++) is { } holds)
                return holds;
        throw new InvalidOperationException(
            $"The property's precondition rejected {LargestRejectedRow} cases in a row."
        );
    }

    /// <summary>Runs one case.</summary>
    /// <param name="number">The number of the case, at least 0.</param>
    /// <returns>Whether the property holds in this case; null when its precondition rejects it.</returns>
    /// <exception cref="InvalidOperationException">A generator throws.</exception>
    public bool? Run(long number) => Run(number, out _);

    /// <summary>Runs one case.</summary>
    /// <param name="number">The number of the case, at least 0.</param>
    /// <param name="failure">Its values and what was thrown, where the property fails; null otherwise.</param>
    /// <returns>Whether the property holds in this case; null when its precondition rejects it.</returns>
    /// <exception cref="InvalidOperationException">A generator throws.</exception>
    public bool? Run(long number, out FailingCase? failure)
    {
        var result = Check(number, _unshrunk);
        // The first value is the one that this class adds.
        failure = result is TestResult.Failed failed ? Describe(number, failed, failed.Item3.Tail) : null;
        return result switch
        {
            TestResult.Passed => true,
            TestResult.Failed => false,
            _ => null,
        };
    }

    /// <summary>Lets FsCheck shrink a case that failed, for which it runs the property up to 5000 times.</summary>
    /// <param name="failing">The case, of this source.</param>
    /// <returns>The smallest failing case that FsCheck found; the given one where it does not fail again.</returns>
    public FailingCase Shrink(FailingCase failing)
    {
        return Check(failing.Number, _property) is TestResult.Failed failed && Text(failed.Item2) == failing.Values
            ? Describe(failing.Number, failed, failed.Item3)
            : failing;
    }

    private TestResult Check(long number, Property property)
    {
        var runner = new CaseRunner();
        try
        {
            FsCheck.Check.One(_config.WithRunner(runner).WithReplay(Replay(number)), property);
        }
        catch (Exception exception)
        {
            // A case under way runs as a task, which wraps what it throws.
            if (Cause(exception) is OperationCanceledException cancelled)
                ExceptionDispatchInfo.Throw(cancelled);
            throw new InvalidOperationException(
                $"The values of case {number} of seed {_seed} could not be generated: {Reason(exception)}",
                exception
            );
        }
        return runner.Result
            ?? throw new InvalidOperationException($"FsCheck gave no result for case {number} of seed {_seed}.");
    }

    private FSharpOption<Replay> Replay(long number)
    {
        var random = RandomStream.For(_seed, (ulong)number);
        // FsCheck's generator needs an odd gamma.
        return FSharpOption<Replay>.Some(
            new(new(random.NextUInt64(), random.NextUInt64() | 1), FSharpOption<int>.Some(_size))
        );
    }

    private static FailingCase Describe(long number, TestResult.Failed failed, FSharpList<object> values) =>
        new(
            number,
            Text(values),
            failed.Item1.NumberOfShrinks,
            failed.Item4 is FsCheck.Outcome.Failed why ? Reason(why.Item) : "it failed",
            [.. failed.Item1.Labels]
        );

    private static string Text(FSharpList<object> values) => Runner.argumentsToString(values).TrimEnd();

    private static string Reason(Exception exception)
    {
        var cause = Cause(exception);
        // FsCheck's word for a property that is false is a plain exception; everything else says more with its type.
        return cause.GetType() == typeof(Exception) ? cause.Message : $"{cause.GetType().Name}: {cause.Message}";
    }

    private static Exception Cause(Exception exception)
    {
        while (exception is AggregateException { InnerException: { } inner })
            exception = inner;
        return exception;
    }

    /// <summary>Takes what FsCheck says of one case.</summary>
    private sealed class CaseRunner : IRunner
    {
        public TestResult? Result { get; private set; }

        public void OnStartFixture(Type t) { }

        public void OnArguments(
            int ntest,
            FSharpList<object> args,
            FSharpFunc<int, FSharpFunc<FSharpList<object>, string>> every
        ) { }

        public void OnShrink(FSharpList<object> args, FSharpFunc<FSharpList<object>, string> everyShrink) { }

        public void OnFinished(string name, TestResult testResult) => Result = testResult;
    }
}
