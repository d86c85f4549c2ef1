namespace MqttCheck.Pipeline.Stores.Postgres;

/// <summary>Tables and functions of a store in PostgreSQL. A function does what a script of Redis does.</summary>
internal static class PostgresTables
{
    /// <summary>Makes them.</summary>
    public const string Create = """
        CREATE TABLE session (client int PRIMARY KEY, last int NOT NULL);
        CREATE TABLE taken (
          client int, partition int, place bigint NOT NULL, PRIMARY KEY (client, partition)
        );
        CREATE TABLE message (
          client int, packet_id int, score bigint NOT NULL, expires timestamptz NOT NULL, partition int NOT NULL,
          place bigint NOT NULL, received boolean NOT NULL, content bytea NOT NULL, PRIMARY KEY (client, packet_id)
        );
        CREATE INDEX ON message (client, score);

        CREATE FUNCTION add_messages(
          c int, most int, lifetime bigint, contents bytea[], partitions int[], places bigint[]
        ) RETURNS TABLE (number int, id int, rank bigint) AS $$
        DECLARE
          l int;
          s bigint;
          p bigint;
          until timestamptz := now() + lifetime * interval '1 millisecond';
        BEGIN
          INSERT INTO session VALUES (c, 0)
            ON CONFLICT (client) DO UPDATE SET last = session.last RETURNING session.last INTO l;
          SELECT coalesce(max(m.score), l) INTO s FROM message m WHERE m.client = c;
          FOR i IN 1 .. cardinality(contents) LOOP
            IF partitions[i] >= 0 THEN
              SELECT t.place INTO p FROM taken t WHERE t.client = c AND t.partition = partitions[i];
              IF FOUND AND p >= places[i] THEN
                RETURN QUERY SELECT i - 1, m.packet_id, m.score FROM message m
                  WHERE m.client = c AND m.partition = partitions[i] AND m.place = places[i]
                    AND m.expires > now() AND NOT m.received;
                CONTINUE;
              END IF;
              INSERT INTO taken VALUES (c, partitions[i], places[i])
                ON CONFLICT (client, partition) DO UPDATE SET place = excluded.place;
            END IF;
            l := CASE WHEN l = 65535 THEN 1 ELSE l + 1 END;
            s := s + 1;
            INSERT INTO message VALUES (c, l, s, until, partitions[i], places[i], false, contents[i])
              ON CONFLICT (client, packet_id) DO UPDATE SET score = excluded.score, expires = excluded.expires,
                partition = excluded.partition, place = excluded.place, received = false, content = excluded.content;
            number := i - 1;
            id := l;
            rank := s;
            RETURN NEXT;
          END LOOP;
          UPDATE session SET last = l WHERE client = c;
          DELETE FROM message m WHERE m.client = c AND m.packet_id IN (
            SELECT o.packet_id FROM message o WHERE o.client = c ORDER BY o.score DESC OFFSET most
          );
        END $$ LANGUAGE plpgsql;
        """;

    /// <summary>Parameters: session, limit, lifetime in milliseconds, messages, partitions, places.</summary>
    public const string Add = "SELECT number, id, rank FROM add_messages($1, $2, $3, $4, $5, $6)";

    /// <summary>Parameters: session, identifier. One row for a message that was there.</summary>
    public const string Remove = "DELETE FROM message WHERE client = $1 AND packet_id = $2 RETURNING packet_id";

    /// <summary>Parameters: session, identifier.</summary>
    public const string Receive = "UPDATE message SET received = true WHERE client = $1 AND packet_id = $2";

    /// <summary>Parameter: session.</summary>
    public const string Drop = "DELETE FROM message WHERE client = $1 AND expires <= now()";

    /// <summary>Parameter: session.</summary>
    public const string Get =
        "SELECT packet_id, score, received, content FROM message WHERE client = $1 ORDER BY score";

    /// <summary>Parameter: session.</summary>
    public const string Places = "SELECT partition, place FROM taken WHERE client = $1";

    /// <summary>Parameters: session, identifier. Only tests run it.</summary>
    public const string SetLast =
        "INSERT INTO session VALUES ($1, $2) ON CONFLICT (client) DO UPDATE SET last = excluded.last";

    /// <summary>Parameter: session. Only tests run it.</summary>
    public const string Expire = "UPDATE message SET expires = now() WHERE client = $1";
}
