using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

[TestFixture]
public sealed class RandomStreamTests
{
    // Made by the authors' public-domain xoshiro256plusplus.c (prng.di.unimi.it), whose step is
    //   result = rotl(s[0] + s[3], 23) + s[0]; t = s[1] << 17; s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3];
    //   s[2] ^= t; s[3] = rotl(s[3], 45); with s = {1, 2, 3, 4}, compiled by gcc -O1 and printed with %llu.
    private static readonly ulong[] s_reference =
    [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
        9973669472204895162,
        14011001112246962877,
        12406186145184390807,
        15849039046786891736,
        10450023813501588000,
    ];

    [Test]
    public void The_stream_is_xoshiro256_plus_plus()
    {
        var random = new RandomStream(1, 2, 3, 4);
        Assert.That(s_reference.Select(_ => random.NextUInt64()), Is.EqualTo(s_reference));
        for (var i = s_reference.Length; i < 999_999; i++)
            random.NextUInt64();
        Assert.That(random.NextUInt64(), Is.EqualTo(6247625096812398776), "the millionth number of the reference code");
    }

    [Test]
    public void Different_paths_give_different_streams()
    {
        var first = new HashSet<ulong>();
        for (ulong seed = 0; seed < 20; seed++)
        {
            first.Add(RandomStream.For(seed).NextUInt64());
            for (ulong i = 0; i < 20; i++)
            {
                first.Add(RandomStream.For(seed, i).NextUInt64());
                for (ulong j = 0; j < 20; j++)
                    first.Add(RandomStream.For(seed, i, j).NextUInt64());
            }
        }
        Assert.That(first, Has.Count.EqualTo(20 * (1 + 20 + 400)));
    }

    // Neighbouring streams, of n = 100 000 numbers each: the correlation of independent ones is normal with standard
    // deviation 1/sqrt(n); 400 comparisons at 5.5 standard deviations: false alarm 1.5e-5 in all. Seed 3.
    [Test]
    public void Neighbouring_streams_are_uncorrelated()
    {
        const int n = 100_000;
        for (ulong client = 0; client < 200; client++)
        {
            var one = RandomStream.For(3, client);
            var sibling = RandomStream.For(3, client + 1);
            var child = RandomStream.For(3, client, 0);
            double withSibling = 0,
                withChild = 0;
            for (var i = 0; i < n; i++)
            {
                var x = one.NextDouble() - .5;
                withSibling += x * (sibling.NextDouble() - .5);
                withChild += x * (child.NextDouble() - .5);
            }
            Assert.That(12 * withSibling / Math.Sqrt(n), Is.EqualTo(0).Within(5.5));
            Assert.That(12 * withChild / Math.Sqrt(n), Is.EqualTo(0).Within(5.5));
        }
    }

    // First numbers of 100 000 streams, as a sample of their own; chi-square over 100 cells. Seed 4, false alarm 1e-6.
    [Test]
    public void The_first_numbers_of_many_streams_are_uniform()
    {
        var counts = new int[100];
        for (ulong client = 0; client < 100_000; client++)
            counts[(int)(RandomStream.For(4, client).NextDouble() * 100)]++;
        Assert.That(ChiSquare(counts), Is.LessThan(MathNet.Numerics.Distributions.ChiSquared.InvCDF(99, 1 - 1e-6)));
    }

    // 3 * 2^29: without rejection the residues would have probabilities 3/8, 3/8 and 1/4. Seed 6, 6 standard
    // deviations: 2e-9.
    [Test]
    public void NextInt_is_unbiased_for_large_bounds()
    {
        var random = RandomStream.For(6);
        const int draws = 100_000;
        var counts = new int[3];
        for (var i = 0; i < draws; i++)
            counts[random.NextInt(3 << 29) % 3]++;
        foreach (var count in counts)
            Assert.That(count, Is.EqualTo(draws / 3.0).Within(6 * Math.Sqrt(draws * 2 / 9.0)));
    }

    [Test]
    public void NextInt_refuses_a_bound_that_is_not_positive()
    {
        var random = RandomStream.For(1);
        Assert.That(() => random.NextInt(0), Throws.InstanceOf<ArgumentOutOfRangeException>());
    }

    private static double ChiSquare(int[] counts)
    {
        var expected = (double)counts.Sum() / counts.Length;
        return counts.Sum(count => (count - expected) * (count - expected) / expected);
    }

    // From the definitions: the upper 53 bits, 52 bits and a half, and the upper 32 bits times the bound.
    [Test]
    public void Every_kind_of_number_is_made_from_the_upper_bits_of_one_word()
    {
        for (ulong seed = 0; seed < 100; seed++)
        {
            var word = RandomStream.For(seed).NextUInt64();
            RandomStream first = RandomStream.For(seed),
                second = first,
                third = first;
            Assert.That(first.NextDouble(), Is.EqualTo((word >> 11) / Math.Pow(2, 53)));
            Assert.That(second.NextOpenDouble(), Is.EqualTo(((word >> 12) + .5) / Math.Pow(2, 52)));
            Assert.That(third.NextInt(1000), Is.EqualTo((int)((word >> 32) * 1000 >> 32)));
            Assert.That((first, second, third), Is.EqualTo((first, first, first)), "one word each");
        }
    }

    [TestCase(1ul, 0ul, 0ul, 0ul)]
    [TestCase(0ul, 1ul, 0ul, 0ul)]
    [TestCase(0ul, 0ul, 1ul, 0ul)]
    [TestCase(0ul, 0ul, 0ul, 1ul)]
    public void One_word_that_is_not_zero_is_a_state(ulong s0, ulong s1, ulong s2, ulong s3)
    {
        var random = new RandomStream(s0, s1, s2, s3);
        Assert.That(Enumerable.Range(0, 20).Select(_ => random.NextUInt64()).Distinct().Count(), Is.GreaterThan(5));
    }

    [Test]
    public void A_refused_state_is_named() =>
        Assert.That(
            () => new RandomStream(0, 0, 0, 0),
            Throws.ArgumentException.With.Message.Contains("must not be all zero")
        );
}
