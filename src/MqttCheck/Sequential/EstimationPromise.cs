namespace MqttCheck.Sequential;

/// <summary>The checks that estimation rules share.</summary>
internal static class EstimationPromise
{
    public static void Check(double epsilon, double delta)
    {
        if (!(epsilon is > 0 and < .5))
            throw new ArgumentOutOfRangeException(nameof(epsilon), epsilon, "must be in (0, .5)");
        if (!(delta is > 0 and < .5))
            throw new ArgumentOutOfRangeException(nameof(delta), delta, "must be in (0, .5)");
    }
}
