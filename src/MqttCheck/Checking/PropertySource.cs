using FsCheck;
using FsCheck.Fluent;
using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;
using MqttCheck.Statistics;

namespace MqttCheck.Checking;

/// <summary>
/// An FsCheck property as a source of independent outcomes: each outcome is one case with a seed of its own, so that an
/// estimator or a sequential test can say how often the property holds. A failed case is not shrunk: shrinking would run
/// the property again, on a live broker with effects.
/// </summary>
/// <remarks>
/// Cases are numbered; case i of a seed is the same in every run. Async properties are awaited. FsCheck shrinks whatever
/// fails, so the property is asked together with a case that is always rejected: "this one, or a rejected one" never
/// fails. The result carries the values of the property where that holds or is rejected, and those of the rejected case
/// where the property fails, which tells the three apart. One thread at a time may use a source.
/// </remarks>
public sealed class PropertySource
{
    /// <summary>After so many rejected cases in a row a source gives up.</summary>
    public const int LargestRejectedRow = 1000;

    private static readonly object s_mark = new();

    private readonly Property _property, _neverFailing;
    private readonly Config _config;
    private readonly ulong _seed;
    private readonly int _size;

    /// <summary>A source.</summary>
    /// <param name="property">The property.</param>
    /// <param name="seed">The seed of all cases.</param>
    /// <param name="size">The size of generated values, the same for every case, since outcomes must be alike; at least 0.</param>
    /// <param name="generators">Types whose static members give generators for values that the property does not generate itself, as in FsCheck's configuration.</param>
    public PropertySource(Property property, ulong seed, int size = 50, params IEnumerable<Type> generators)
    {
        ArgumentNullException.ThrowIfNull(property);
        ArgumentOutOfRangeException.ThrowIfNegative(size);
        (_property, _seed, _size) = (property, seed, size);
        _neverFailing = property.Or(Prop.ForAll(Gen.Constant(s_mark).ToArbitrary(), (Func<object, Property>)(_ => true.When(false))));
        _config = Config.Quick.WithMaxTest(1).WithMaxRejected(1).WithQuietOnSuccess(true);
        if (generators.Any()) _config = _config.WithArbitrary(generators);
    }

    /// <summary>The number of the next case, from 0.</summary>
    public long NextCase { get; private set; }

    /// <summary>Runs the next case that the property's precondition accepts.</summary>
    /// <returns>Whether the property holds in this case.</returns>
    /// <exception cref="InvalidOperationException">The precondition rejects 1000 cases in a row.</exception>
    public bool Next()
    {
        for (var rejected = 0; rejected < LargestRejectedRow; rejected++)
            if (Run(NextCase++) is { } holds) return holds;
        throw new InvalidOperationException($"The property's precondition rejected {LargestRejectedRow} cases in a row.");
    }

    /// <summary>Runs one case.</summary>
    /// <param name="number">The number of the case, at least 0.</param>
    /// <returns>Whether the property holds in this case; null when its precondition rejects it.</returns>
    public bool? Run(long number)
    {
        var runner = new CaseRunner();
        Check.One(_config.WithRunner(runner).WithReplay(Replay(number)), _neverFailing);
        return runner.Result switch
        {
            TestResult.Passed => true,
            TestResult.Exhausted when runner.Values is [var only] && ReferenceEquals(only, s_mark) => false,
            TestResult.Exhausted => null,
            var other => throw new InvalidOperationException($"FsCheck gave an unexpected result for case {number}: {other}."),
        };
    }

    /// <summary>Runs one case again, to see its values.</summary>
    /// <param name="number">The number of the case, at least 0.</param>
    /// <param name="shrink">Whether FsCheck shrinks it if it fails, for which it runs the property up to 5000 times.</param>
    /// <returns>The case; null when it does not fail this time.</returns>
    public FailingCase? Show(long number, bool shrink)
    {
        var runner = new CaseRunner { StopsAfterOne = !shrink };
        try
        {
            Check.One(_config.WithRunner(runner).WithReplay(Replay(number)), _property);
        }
        catch (CaseRunner.StoppedException)
        {
            return new(number, Text(runner.Values), 0, null);
        }
        return runner.Result is TestResult.Failed failed
            ? new(number, Text(failed.Item3), failed.Item1.NumberOfShrinks, failed.Item4 is Outcome.Failed why ? Reason(why.Item) : null)
            : null;
    }

    private FSharpOption<Replay> Replay(long number)
    {
        var random = RandomStream.For(_seed, (ulong)number);
        // FsCheck's generator needs an odd gamma.
        return FSharpOption<Replay>.Some(new(new(random.NextUInt64(), random.NextUInt64() | 1), FSharpOption<int>.Some(_size)));
    }

    private static string Text(FSharpList<object> values) => Runner.argumentsToString(values);

    private static string Reason(Exception exception)
    {
        while (exception is AggregateException { InnerException: { } inner }) exception = inner;
        // FsCheck's word for a property that is false; everything else says more with its type.
        return exception.GetType() == typeof(Exception) ? exception.Message : $"{exception.GetType().Name}: {exception.Message}";
    }

    /// <summary>Takes what FsCheck says of one case.</summary>
    private sealed class CaseRunner : IRunner
    {
        public bool StopsAfterOne { get; init; }

        public FSharpList<object> Values { get; private set; } = FSharpList<object>.Empty;

        public TestResult? Result { get; private set; }

        public void OnStartFixture(Type t) { }

        // Called when the case has run, and before it is shrunk.
        public void OnArguments(int ntest, FSharpList<object> args, FSharpFunc<int, FSharpFunc<FSharpList<object>, string>> every)
        {
            Values = args;
            if (StopsAfterOne) throw new StoppedException();
        }

        public void OnShrink(FSharpList<object> args, FSharpFunc<FSharpList<object>, string> everyShrink) { }

        public void OnFinished(string name, TestResult testResult) => Result = testResult;

        public sealed class StoppedException : Exception;
    }
}
