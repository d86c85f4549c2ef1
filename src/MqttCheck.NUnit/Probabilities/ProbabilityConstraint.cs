using System.Globalization;
using FsCheck;
using MqttCheck.NUnit.Reporting;
using MqttCheck.Requirements;
using MqttCheck.Sequential;
using NUnit.Framework;
using NUnit.Framework.Constraints;

namespace MqttCheck.NUnit.Probabilities;

/// <summary>
/// The requirement that an FsCheck property holds with a probability. Cases are counted, not shrunk, until there is a
/// verdict; a refuted one shows the smallest of its failing cases. Made by <see cref="Meets.Probability"/>.
/// </summary>
/// <remarks>
/// Without a verdict the test is inconclusive, or fails with <see cref="FailingWithoutVerdict"/>; it never passes, and
/// negation does not change that.
/// </remarks>
public sealed class ProbabilityConstraint : Constraint
{
    private readonly ProbabilityOptions _options;
    private readonly List<Type> _generators = [];
    private ulong? _seed;
    private int _size = 50;
    private bool _shrinks,
        _failsWithoutVerdict;
    private TimeSpan _caseTimeout = TimeSpan.FromSeconds(60);

    internal ProbabilityConstraint(ProbabilityOptions options)
    {
        var errors = options.Validate("Meets.Probability");
        if (errors.Count > 0)
            throw new InputException(string.Join('\n', errors));
        _options = options;
    }

    /// <inheritdoc/>
    public override string Description =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"a property that holds with a probability of at least {_options.AtLeast}"
        );

    /// <summary>
    /// The seed of all cases. Default: environment variable <see cref="MeasureOptions.SeedVariable"/>, otherwise 1.
    /// </summary>
    /// <param name="seed">The seed.</param>
    public ProbabilityConstraint WithSeed(ulong seed)
    {
        _seed = seed;
        return this;
    }

    /// <summary>The size of generated values, the same in every case, at least 0. Default 50.</summary>
    /// <param name="size">The size.</param>
    public ProbabilityConstraint WithSize(int size)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(size);
        _size = size;
        return this;
    }

    /// <summary>Types whose static members give generators, as in FsCheck's configuration.</summary>
    /// <param name="types">The types.</param>
    public ProbabilityConstraint WithGenerators(params IEnumerable<Type> types)
    {
        _generators.AddRange(types);
        return this;
    }

    /// <summary>How long a case may take, greater than 0; then the test ends with an error. Default 60 s.</summary>
    /// <param name="time">The time.</param>
    public ProbabilityConstraint WithCaseTimeout(TimeSpan time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(time, TimeSpan.Zero);
        _caseTimeout = time;
        return this;
    }

    /// <summary>
    /// A refuted property lets FsCheck shrink its smallest failing case, for which it is run up to 5000 times more.
    /// </summary>
    public ProbabilityConstraint Shrinking()
    {
        _shrinks = true;
        return this;
    }

    /// <summary>
    /// Without a verdict the test fails instead of being inconclusive, which <c>dotnet test</c> counts as success.
    /// </summary>
    public ProbabilityConstraint FailingWithoutVerdict()
    {
        _failsWithoutVerdict = true;
        return this;
    }

    /// <inheritdoc/>
    public override ConstraintResult ApplyTo<TActual>(TActual actual)
    {
        if (actual is not Property property)
            throw new ArgumentException(
                $"The value is a {actual?.GetType().Name ?? "null"}; allowed: an FsCheck Property, as "
                    + "Prop.ForAll(...) yields it.",
                nameof(actual)
            );
        var seed = MeasureOptions.SeedOf(_seed);
        var cases = new PropertyCases(
            new PropertySource(property, seed, _size, _generators),
            new ProbabilityTest(_options),
            seed,
            _caseTimeout,
            Description
        );
        cases.Run(TestContext.CurrentContext.CancellationToken);
        if (cases.Test.Verdict == RequirementVerdict.Violated && _shrinks)
            cases.Shrink(TestContext.CurrentContext.CancellationToken);
        var (seen, details) = (cases.Actual, cases.Details());
        if (cases.Test.Verdict == RequirementVerdict.Withheld)
        {
            var text = string.Concat(
                details
                    .Prepend("But was:  " + seen)
                    .Prepend("Expected: " + Description)
                    .Select(line => "  " + line + Environment.NewLine)
            );
            if (_failsWithoutVerdict)
                throw new AssertionException(text);
            throw new InconclusiveException(text);
        }
        var met = cases.Test.Verdict == RequirementVerdict.Met;
        if (met)
            TestContext.Out.WriteLine(
                $"MqttCheck: {Description}: {cases.Seen}. {cases.Promise}. Repeat: {FailureMessage.Repeat(seed)}"
            );
        return new LinesResult(this, property, met, seen, details);
    }
}
