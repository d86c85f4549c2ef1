using System.Reflection;
using FsCheck;
using FsCheck.Fluent;
using FsCheck.Internals;
using MqttCheck.Statistics;

namespace MqttCheck.Checking;

/// <summary>
/// An FsCheck property as a source of independent outcomes: each outcome is one case with a seed of its own, so that an estimator or a sequential test can say how often the property holds. A failed case
/// is not shrunk: shrinking would run the property again, on a live broker with effects.
/// </summary>
/// <remarks>Cases are numbered; case i of a seed is the same in every run. Async properties are awaited.</remarks>
public sealed class PropertySource
{
    private const int LargestRejectedRow = 1000;

    // FsCheck has no public way to run one case without shrinking it.
    private static readonly MethodInfo s_generatorOf = typeof(Property).GetMethod("GetGen", BindingFlags.Static | BindingFlags.NonPublic)
        ?? throw new MissingMethodException("FsCheck.Property", "GetGen");

    private static readonly PropertyInfo s_caseOf = typeof(Shrink<ResultContainer>).GetProperty("Item1", BindingFlags.Instance | BindingFlags.NonPublic)
        ?? throw new MissingMemberException("FsCheck.Internals.Shrink", "Item1");

    private readonly Gen<Shrink<ResultContainer>> _generator;
    private readonly ulong _seed;
    private readonly int _size;

    /// <summary>A source.</summary>
    /// <param name="property">The property.</param>
    /// <param name="seed">The seed of all cases.</param>
    /// <param name="size">The size of generated values, the same for every case, since outcomes must be alike; at least 0.</param>
    /// <param name="generators">Generators for values that the property does not generate itself; null for FsCheck's.</param>
    public PropertySource(Property property, ulong seed, int size = 50, IArbMap? generators = null)
    {
        ArgumentNullException.ThrowIfNull(property);
        ArgumentOutOfRangeException.ThrowIfNegative(size);
        (_seed, _size) = (seed, size);
        _generator = (Gen<Shrink<ResultContainer>>)s_generatorOf.Invoke(null, [generators ?? ArbMap.Default, property])!;
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
        var random = RandomStream.For(_seed, (ulong)number);
        // FsCheck's generator needs an odd gamma.
        var generated = Gen.Sample(_generator, 1, new Rnd(random.NextUInt64(), random.NextUInt64() | 1), _size)[0];
        var container = ((Lazy<ResultContainer>)s_caseOf.GetValue(generated)!).Value;
        var outcome = container switch
        {
            ResultContainer.Value value => value.Item.Outcome,
            ResultContainer.Future future => future.Item.GetAwaiter().GetResult().Outcome,
            _ => throw new InvalidOperationException($"FsCheck gave an unknown result {container}."),
        };
        return outcome.IsRejected ? null : outcome.IsPassed;
    }
}
