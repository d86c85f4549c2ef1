using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Statistics.Laws;

/// <summary>Generators of laws.</summary>
internal static class Laws
{
    // Up to large and down to subnormal values, so that exponents occur in texts.
    private static Gen<double> NotNegative =>
        Gen.Choose(0, int.MaxValue)
            .SelectMany(mantissa => Gen.Choose(-320, 290).Select(exponent => mantissa * Math.Pow(10, exponent)));

    private static Gen<double> Positive => NotNegative.Select(value => value > 0 ? value : 1);

    private static Gen<Law> Simple =>
        Gen.OneOf(
            NotNegative.Select(value => (Law)new ConstantLaw(value)),
            Positive.Select(value => (Law)new ExponentialLaw(value)),
            NotNegative
                .Two()
                .Select(pair =>
                    (Law)new UniformLaw(Math.Min(pair.Item1, pair.Item2), Math.Max(pair.Item1, pair.Item2))
                ),
            NotNegative
                .Two()
                .SelectMany(pair =>
                    Gen.Elements(-1, 1).Select(sign => (Law)new NormalLaw(sign * pair.Item1, pair.Item2))
                ),
            Positive.Zip(NotNegative).Select(pair => (Law)new LogNormalLaw(pair.Item1, pair.Item2)),
            NotNegative.ListOf().Where(list => list.Count >= 2).Select(list => (Law)new EmpiricalLaw(list.Order()))
        );

    public static Gen<Law> Any =>
        Gen.OneOf(
            Simple,
            Positive
                .Zip(Simple)
                .NonEmptyListOf()
                .Select(list => (Law)new MixtureLaw(list.Select(pair => new MixtureComponent(pair.Item1, pair.Item2))))
        );
}
