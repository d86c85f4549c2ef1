using System.Runtime.CompilerServices;

namespace MqttCheck.Latency;

/// <summary>Logarithms of small integers by look-up: a draw has no time to compute them.</summary>
internal static class LogTable
{
    private static readonly double[] Values = [.. Enumerable.Range(0, 1024).Select(n => Math.Log(n + 1.0))];

    /// <summary>ln(n + 1).</summary>
    /// <param name="n">At least 0.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double OnePlus(int n) => (uint)n < (uint)Values.Length ? Values[n] : Math.Log(n + 1.0);
}
