using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

public sealed class DurationPercentilesTests
{
    // hdr-histogram-js 3.0.1: build({lowestDiscernibleValue: 1, highestTrackableValue: 1.8e12,
    // numberOfSignificantValueDigits: 3, bitBucketSize: 64}), the cubes of 1 .. 1000 and 5e9 recorded,
    // outputPercentileDistribution(5, 1e6).
    private const string Reference = """
               Value     Percentile TotalCount 1/(1-Percentile)

               0.000 0.000000000000          1           1.00
               1.031 0.100000000000        101           1.11
               8.122 0.200000000000        201           1.25
              27.279 0.300000000000        301           1.43
              64.487 0.400000000000        401           1.67
             125.764 0.500000000000        501           2.00
             167.379 0.550000000000        551           2.22
             217.186 0.600000000000        601           2.50
             276.038 0.650000000000        651           2.86
             344.719 0.700000000000        701           3.33
             423.625 0.750000000000        751           4.00
             467.403 0.775000000000        776           4.44
             514.064 0.800000000000        801           5.00
             563.610 0.825000000000        826           5.71
             616.563 0.850000000000        851           6.67
             672.662 0.875000000000        876           8.00
             703.070 0.887500000000        889           8.89
             731.906 0.900000000000        901          10.00
             763.888 0.912500000000        914          11.43
             794.296 0.925000000000        926          13.33
             828.375 0.937500000000        939          16.00
             844.104 0.943750000000        945          17.78
             860.357 0.950000000000        951          20.00
             879.231 0.956250000000        958          22.86
             896.008 0.962500000000        964          26.67
             912.785 0.968750000000        970          32.00
             921.174 0.971875000000        973          35.56
             930.087 0.975000000000        976          40.00
             941.621 0.978125000000        980          45.71
             950.010 0.981250000000        983          53.33
             958.923 0.984375000000        986          64.00
             961.544 0.985937500000        987          71.11
             967.836 0.987500000000        989          80.00
             973.603 0.989062500000        991          91.43
             976.224 0.990625000000        992         106.67
             982.516 0.992187500000        994         128.00
             982.516 0.992968750000        994         142.22
             985.137 0.993750000000        995         160.00
             988.283 0.994531250000        996         182.86
             991.429 0.995312500000        997         213.33
             994.050 0.996093750000        998         256.00
             994.050 0.996484375000        998         284.44
             994.050 0.996875000000        998         320.00
             997.196 0.997265625000        999         365.71
             997.196 0.997656250000        999         426.67
            1000.342 0.998046875000       1000         512.00
            1000.342 0.998242187500       1000         568.89
            1000.342 0.998437500000       1000         640.00
            1000.342 0.998632812500       1000         731.43
            1000.342 0.998828125000       1000         853.33
            5003.805 0.999023437500       1001        1024.00
            5003.805 1.000000000000       1001
        #[Mean    =      255.249, StdDeviation   =      321.027]
        #[Max     =     5003.805, Total count    =         1001]
        #[Buckets =           31, SubBuckets     =         2048]
        """;

    [Test]
    public void Is_what_another_implementation_of_HdrHistogram_writes()
    {
        var counts = new DurationCounts();
        for (long value = 1; value <= 1000; value++)
            counts.Add(value * value * value);
        counts.Add(5_000_000_000);
        Assert.That(Write(counts).TrimEnd(), Is.EqualTo(Reference.ReplaceLineEndings("\n")));
    }

    [Test]
    public void Nothing_counted_gives_header_and_footer() =>
        Assert.That(
            Write(new DurationCounts()).Split('\n', StringSplitOptions.RemoveEmptyEntries),
            Is.EqualTo(
                (string[])
                    [
                        "       Value     Percentile TotalCount 1/(1-Percentile)",
                        "#[Mean    =          NaN, StdDeviation   =          NaN]",
                        "#[Max     =        0.000, Total count    =            0]",
                        "#[Buckets =           31, SubBuckets     =         2048]",
                    ]
            )
        );

    [Test]
    public void One_duration_is_at_every_percentile()
    {
        var counts = new DurationCounts();
        counts.Add(1_000_000);
        var lines = Write(counts).Split('\n');
        Assert.That(lines[2], Is.EqualTo("       1.000 0.000000000000          1           1.00"));
        Assert.That(lines[3], Is.EqualTo("       1.000 1.000000000000          1"));
    }

    private static string Write(DurationCounts counts)
    {
        using var writer = new StringWriter();
        counts.WritePercentiles(writer);
        return writer.ToString();
    }
}
