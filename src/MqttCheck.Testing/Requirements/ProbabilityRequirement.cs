using System.Globalization;
using FsCheck;
using MqttCheck.Requirements;
using MqttCheck.Sequential;

namespace MqttCheck.Testing.Requirements;

/// <summary>
/// The requirement that an FsCheck property holds with a probability. Cases are counted, not shrunk, until there is a
/// verdict; a refuted one shows the smallest of its failing cases. Made by <see cref="Requirement.Probability"/>.
/// </summary>
public sealed class ProbabilityRequirement
{
    private readonly ProbabilityOptions _options;
    private readonly List<Type> _generators = [];
    private ulong? _seed;
    private int _size = 50;
    private bool _shrinks;
    private TimeSpan _caseTimeout = TimeSpan.FromSeconds(60);

    internal ProbabilityRequirement(ProbabilityOptions options)
    {
        InputException.ThrowIfAny(options.Validate("probability"));
        _options = options;
    }

    /// <summary>The requirement, in one line.</summary>
    public string Description =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"a property that holds with a probability of at least {_options.AtLeast}"
        );

    /// <summary>
    /// The seed of all cases. Default: environment variable <see cref="MeasureOptions.SeedVariable"/>, otherwise 1.
    /// </summary>
    /// <param name="seed">The seed.</param>
    public ProbabilityRequirement WithSeed(ulong seed)
    {
        _seed = seed;
        return this;
    }

    /// <summary>The size of generated values, the same in every case, at least 0. Default 50.</summary>
    /// <param name="size">The size.</param>
    public ProbabilityRequirement WithSize(int size)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(size);
        _size = size;
        return this;
    }

    /// <summary>Types whose static members give generators, as in FsCheck's configuration.</summary>
    /// <param name="types">The types.</param>
    public ProbabilityRequirement WithGenerators(params IEnumerable<Type> types)
    {
        _generators.AddRange(types);
        return this;
    }

    /// <summary>How long a case may take, greater than 0; then the test ends with an error. Default 60 s.</summary>
    /// <param name="time">The time.</param>
    public ProbabilityRequirement WithCaseTimeout(TimeSpan time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(time, TimeSpan.Zero);
        _caseTimeout = time;
        return this;
    }

    /// <summary>
    /// A refuted property lets FsCheck shrink its smallest failing case, for which it is run up to 5000 times more.
    /// </summary>
    public ProbabilityRequirement Shrinking()
    {
        _shrinks = true;
        return this;
    }

    /// <summary>Runs cases until there is a verdict, on a thread of their own.</summary>
    /// <param name="property">The property, as <c>Prop.ForAll(...)</c> yields it.</param>
    /// <param name="host">The services of the test framework; null, the default, for none.</param>
    /// <returns>The decision.</returns>
    /// <exception cref="CaseException">A case does not end, or its values cannot be generated.</exception>
    /// <exception cref="OperationCanceledException">The host's token was cancelled.</exception>
    public Decision Decide(Property property, TestHost? host = null)
    {
        ArgumentNullException.ThrowIfNull(property);
        host ??= new();
        var seed = MeasureOptions.SeedOf(_seed);
        var cases = new PropertyCases(
            new PropertySource(property, seed, _size, _generators),
            new ProbabilityTest(_options),
            seed,
            _caseTimeout,
            Description,
            host
        );
        cases.Run();
        if (cases.Test.Verdict == RequirementVerdict.Violated && _shrinks)
            cases.Shrink();
        return new(cases.Test.Verdict, Description, cases.Actual, cases.Details());
    }
}
