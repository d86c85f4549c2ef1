using System.Numerics;
using System.Runtime.CompilerServices;

namespace MqttCheck.Statistics;

/// <summary>
/// A seeded stream of random numbers: xoshiro256++ 1.0 (Blackman and Vigna, 2019), seeded by SplitMix64.
/// A value type: copy it to repeat it. Streams with different paths under one seed are independent, so every run,
/// replication and client gets its own, and results do not depend on the number of threads.
/// </summary>
/// <remarks>Not thread-safe: one stream belongs to one owner.</remarks>
public struct RandomStream
{
    private ulong _s0,
        _s1,
        _s2,
        _s3;

    /// <summary>A stream with the given state, not all zero; for reference vectors.</summary>
    /// <param name="s0">First state word.</param>
    /// <param name="s1">Second state word.</param>
    /// <param name="s2">Third state word.</param>
    /// <param name="s3">Fourth state word.</param>
    /// <exception cref="ArgumentException">All words are zero, the one state the generator cannot leave.</exception>
    public RandomStream(ulong s0, ulong s1, ulong s2, ulong s3)
    {
        if ((s0 | s1 | s2 | s3) == 0)
            throw new ArgumentException("The state of xoshiro256++ must not be all zero.", nameof(s0));
        (_s0, _s1, _s2, _s3) = (s0, s1, s2, s3);
    }

    /// <summary>The stream of a seed and a path of indices (for example replication, client).</summary>
    /// <param name="seed">The seed that the user sees and repeats.</param>
    /// <param name="path">Indices below the seed; different paths give independent streams.</param>
    public static RandomStream For(ulong seed, params ReadOnlySpan<ulong> path)
    {
        var key = Mix(seed + 0x9E3779B97F4A7C15);
        // Each step hashes the key so far, so (1, 2) and (2, 1) differ, and so do (1) and (1, 0).
        foreach (var index in path)
            key = Mix(key ^ Mix(index + 0xD1B54A32D192ED03)) + 0x9E3779B97F4A7C15;
        return new RandomStream(
            Mix(key += 0x9E3779B97F4A7C15),
            Mix(key += 0x9E3779B97F4A7C15),
            Mix(key += 0x9E3779B97F4A7C15),
            Mix(key + 0x9E3779B97F4A7C15) | 1
        );
    }

    /// <summary>Uniform over all 64-bit values.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong NextUInt64()
    {
        // In locals, so that the steps wait for registers and not for memory.
        var (s0, s1, s2, s3) = (_s0, _s1, _s2, _s3);
        var result = BitOperations.RotateLeft(s0 + s3, 23) + s0;
        s2 ^= s0;
        s3 ^= s1;
        _s0 = s0 ^ s3;
        _s1 = s1 ^ s2;
        _s2 = s2 ^ (s1 << 17);
        _s3 = BitOperations.RotateLeft(s3, 45);
        return result;
    }

    /// <summary>Uniform in [0, 1), a multiple of 2^-53.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double NextDouble() => (NextUInt64() >> 11) * (1.0 / (1UL << 53));

    /// <summary>Uniform in (0, 1): safe to take the logarithm of, and of its complement.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double NextOpenDouble() => ((NextUInt64() >> 12) + 0.5) * (1.0 / (1UL << 52));

    /// <summary>
    /// Uniform over 0 .. <paramref name="exclusiveMaximum"/> - 1, unbiased (Lemire 2019: multiply, reject).
    /// </summary>
    /// <param name="exclusiveMaximum">Greater than 0.</param>
    /// <exception cref="ArgumentOutOfRangeException">The maximum is not positive.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int NextInt(int exclusiveMaximum)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(exclusiveMaximum);
        var bound = (uint)exclusiveMaximum;
        var product = (NextUInt64() >> 32) * bound;
        if ((uint)product < bound)
        {
            var threshold = (0u - bound) % bound;
            while ((uint)product < threshold)
                product = (NextUInt64() >> 32) * bound;
        }
        return (int)(product >> 32);
    }

    // Stafford's variant 13 of the 64-bit finaliser, the output function of SplitMix64.
    private static ulong Mix(ulong z)
    {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}
