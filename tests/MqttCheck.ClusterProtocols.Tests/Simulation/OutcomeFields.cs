using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.Clusters.Properties;

namespace MqttCheck.ClusterProtocols.Tests.Simulation;

/// <summary>The fields of an outcome by reflection, so that a new one takes part in tests by itself.</summary>
internal static class OutcomeFields
{
    private static readonly JsonSerializerOptions s_json = new()
    {
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    private static readonly PropertyInfo[] s_properties =
    [
        .. typeof(ClusterOutcome).GetProperties().Where(property => property.CanWrite),
    ];

    /// <summary>Each field with its value, numbers to the bit.</summary>
    public static IReadOnlyList<string> Of(ClusterOutcome outcome) =>
        [
            .. s_properties.Select(property =>
                $"{property.Name}: "
                + JsonSerializer.Serialize(property.GetValue(outcome), property.PropertyType, s_json)
            ),
        ];

    /// <summary>An outcome that knows as little as it may.</summary>
    public static ClusterOutcome Empty() =>
        new()
        {
            Publications = 0,
            Deliveries = 0,
            DeliveryMilliseconds = [],
            Lost = 0,
            LostSettled = 0,
            Duplicates = 0,
            Reordered = 0,
            Racing = 0,
        };

    /// <summary>An outcome whose fields have values of their own, none of them a default.</summary>
    public static ClusterOutcome Filled()
    {
        var outcome = Empty();
        var number = 0;
        foreach (var property in s_properties)
            property.SetValue(outcome, Value(property.PropertyType, ref number));
        return outcome;
    }

    // Thirds have no short form, so that a value that is rounded on its way is seen.
    private static object Value(Type type, ref int number)
    {
        number++;
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type == typeof(long))
            return (long)number;
        if (type == typeof(int))
            return number;
        if (type == typeof(double))
            return number + 1 / 3.0;
        if (type == typeof(bool))
            return true;
        if (type == typeof(string))
            return $"text {number}";
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IReadOnlyList<>))
        {
            var element = type.GetGenericArguments()[0];
            var items = Array.CreateInstance(element, 2);
            items.SetValue(Value(element, ref number), 0);
            items.SetValue(Value(element, ref number), 1);
            return items;
        }
        // A record takes its values in its constructor; the longest one is not that of its copies.
        var constructor = type.GetConstructors().MaxBy(one => one.GetParameters().Length)!;
        var parameters = constructor.GetParameters();
        var arguments = new object[parameters.Length];
        for (var i = 0; i < arguments.Length; i++)
            arguments[i] = Value(parameters[i].ParameterType, ref number);
        return constructor.Invoke(arguments);
    }
}
