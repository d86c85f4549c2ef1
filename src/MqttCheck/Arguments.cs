using System.Runtime.CompilerServices;

namespace MqttCheck;

/// <summary>Checks of numbers that a caller gives.</summary>
internal static class Arguments
{
    /// <summary>Refuses a number that is not allowed.</summary>
    /// <param name="holds">Whether it is allowed; written so that NaN is not.</param>
    /// <param name="value">The number.</param>
    /// <param name="allowed">What is allowed.</param>
    /// <param name="name">The name of the argument.</param>
    /// <exception cref="ArgumentOutOfRangeException">It is not allowed.</exception>
    public static void Require(
        bool holds,
        double value,
        string allowed,
        [CallerArgumentExpression(nameof(value))] string? name = null
    )
    {
        if (!holds)
            throw new ArgumentOutOfRangeException(name, value, allowed);
    }
}
