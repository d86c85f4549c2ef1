using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace MqttCheck.Tests.Profiles;

/// <summary>
/// The part of JSON Schema 2020-12 that the profile schema uses. A keyword it does not know fails, so that nothing
/// passes unchecked.
/// </summary>
internal static class SchemaCheck
{
    public static bool Conforms(JsonNode? value, JsonNode schema, JsonNode root) =>
        schema.AsObject().All(keyword => Holds(keyword.Key, keyword.Value!, value, schema, root));

    private static bool Holds(string keyword, JsonNode operand, JsonNode? value, JsonNode schema, JsonNode root) =>
        keyword switch
        {
            "$schema" or "title" or "description" or "default" or "$defs" => true,
            "$ref" => Conforms(value, root["$defs"]![operand.GetValue<string>()["#/$defs/".Length..]]!, root),
            "anyOf" => operand.AsArray().Any(one => Conforms(value, one!, root)),
            "const" => JsonNode.DeepEquals(operand, value),
            "enum" => operand.AsArray().Any(one => JsonNode.DeepEquals(one, value)),
            "oneOf" => operand.AsArray().Count(one => Conforms(value, one!, root)) == 1,
            "allOf" => operand.AsArray().All(one => Conforms(value, one!, root)),
            "type" => TypeOf(value, operand.GetValue<string>()),
            "required" => value is not JsonObject holder
                || operand.AsArray().All(key => holder.ContainsKey(key!.GetValue<string>())),
            "properties" => value is not JsonObject owner
                || operand
                    .AsObject()
                    .All(member => !owner.ContainsKey(member.Key) || Conforms(owner[member.Key], member.Value!, root)),
            "not" => !Conforms(value, operand, root),
            "additionalProperties" => value is not JsonObject named
                || named.All(member =>
                    schema["properties"]?.AsObject().ContainsKey(member.Key) == true
                    || (operand is JsonObject others && Conforms(member.Value, others, root))
                ),
            "minProperties" => value is not JsonObject few || few.Count >= operand.GetValue<int>(),
            "maxProperties" => value is not JsonObject many || many.Count <= operand.GetValue<int>(),
            "items" => value is not JsonArray list || list.All(item => Conforms(item, operand, root)),
            "prefixItems" => value is not JsonArray array
                || operand.AsArray().Zip(array).All(pair => Conforms(pair.Second, pair.First!, root)),
            "minItems" => value is not JsonArray small || small.Count >= operand.GetValue<int>(),
            "maxItems" => value is not JsonArray large || large.Count <= operand.GetValue<int>(),
            "minimum" => !TypeOf(value, "number") || value!.GetValue<double>() >= operand.GetValue<double>(),
            "maximum" => !TypeOf(value, "number") || value!.GetValue<double>() <= operand.GetValue<double>(),
            "exclusiveMinimum" => !TypeOf(value, "number") || value!.GetValue<double>() > operand.GetValue<double>(),
            "pattern" => !TypeOf(value, "string")
                || Regex.IsMatch(value!.GetValue<string>(), operand.GetValue<string>()),
            _ => throw new NotSupportedException($"keyword {keyword}"),
        };

    private static bool TypeOf(JsonNode? value, string type) =>
        type switch
        {
            "object" => value is JsonObject,
            "array" => value is JsonArray,
            "string" => value?.GetValueKind() == JsonValueKind.String,
            "number" => value?.GetValueKind() == JsonValueKind.Number,
            "boolean" => value?.GetValueKind() is JsonValueKind.True or JsonValueKind.False,
            "integer" => value?.GetValueKind() == JsonValueKind.Number && value.GetValue<double>() % 1 == 0,
            _ => throw new NotSupportedException($"type {type}"),
        };
}
